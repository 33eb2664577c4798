import TenureCore
import TenureCrypto
import TenureFormats
public import TenureLicensing
import TenureServerKit

/// A device as a request identifies it.
public struct PresentedDevice: Sendable, Hashable {
    /// The identity that the store uses for the device.
    public let identity: DeviceIdentity
    /// The name and the operating system that the device reports.
    public let report: DeviceReport

    /// Creates the identity from the fields of a Keylight-dialect request.
    ///
    /// A hash matches in either case. A text that isn't a hash is replaced by its digest. A request's id is used only
    /// if it's 1 to 64 printable bytes, so that callers can't store arbitrary data.
    init(machineHash: String?, freeTierInstance: String?, instanceName: String, request: String?) {
        report = DeviceReport(name: instanceName)
        identity = DeviceIdentity(
            machineHash: machineHash.map(Self.comparable), freeTierInstance: freeTierInstance,
            instanceName: report.name ?? DeviceReport.noName,
            request: request.flatMap { Self.isPrintable($0) ? $0 : nil })
    }

    /// Creates the identity from a Tenure-dialect device hash; `nil` means an anonymous device.
    init(_ hash: DeviceHash?, _ report: DeviceReport = DeviceReport(name: nil)) {
        identity = hash.map { .machine($0.text) } ?? .anonymous
        self.report = report
    }

    private static func comparable(_ hash: String) -> String {
        if hash.isEmpty { return "" }
        return isHash(hash) ? hash.lowercased() : "sha256:" + Hex.encode(Digest.sha256(of: hash).bytes)
    }

    private static func isHash(_ text: String) -> Bool { Hex.decode(text.lowercased())?.count == 32 }

    private static func isPrintable(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }
}

extension PresentedDevice {
    /// The device's request for an activation; without a name, it gets ``DeviceReport/noName``.
    ///
    /// - Parameter id: The id of the activation if a new one is created.
    func attempt(_ id: ActivationID) -> License.ActivationAttempt {
        License.ActivationAttempt(
            newID: id, identity: identity, name: report.name ?? DeviceReport.noName, system: report.system)
    }
}
