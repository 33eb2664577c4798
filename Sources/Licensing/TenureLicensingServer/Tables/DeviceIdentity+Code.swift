import TenureCore
package import TenureLicensing

extension DeviceIdentity {
    /// The identity as a text that is unique per identity; `nil` for an anonymous device, which is never recognized.
    ///
    /// The text is `m:HASH`, `f:INSTANCE` or `r:LENGTH:NAME:REQUEST`, with the length of the name in UTF-8 bytes.
    package var code: String? {
        switch self {
        case .machine(let hash): "m:\(hash)"
        case .freeTier(let instance): "f:\(instance)"
        case .attempt(let name, let request): "r:\(name.utf8.count):\(name):\(request)"
        case .anonymous: nil
        }
    }

    /// Reads what ``code`` writes; returns `nil` for anything else.
    package init?(code: String?) {
        guard let code else {
            self = .anonymous
            return
        }
        let bytes = code.utf8
        let rest = bytes.dropFirst(2)
        guard let text = String(rest) else { return nil }
        switch String(bytes.prefix(2)) {
        case "m:": self = .machine(text)
        case "f:": self = .freeTier(text)
        case "r:":
            guard let colon = rest.firstIndex(of: 0x3A), let length = String(rest[..<colon]).flatMap({ Int($0) }),
                length >= 0
            else { return nil }
            let tail = rest[rest.index(after: colon)...]
            let request = tail.dropFirst(length)
            guard tail.count > length, request.first == 0x3A, let name = String(tail.prefix(length)),
                let request = String(request.dropFirst())
            else { return nil }
            self = .attempt(name: name, request: request)
        default: return nil
        }
    }
}
