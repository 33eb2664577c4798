import TenureCommandLine
import TenureCore
import TenureLicensing

extension ReplacedKey {
    /// What happened to the key, in one line.
    func sentence(of license: License?) -> String {
        let use =
            switch devices {
            case 0: "no device may use it any more"
            case Self.mostDevices: "\(devices) devices or more may still use it"
            default: "\(devices.of("device")) may still use it"
            }
        let now = license.map { "; the license's key is \($0.key.masked) now" } ?? ""
        return "\(key.key.masked) was replaced on \(key.replacedAt.local) by \(key.replacedBy); \(use)\(now)"
    }
}
