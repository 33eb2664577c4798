public import TenureFoundation
import TenureLicensing

/// A link that passes a license key to an app: `SCHEME://activate?key=KEY`, or `https://HOST/activate#KEY`.
///
/// Vendors put such links in emails to customers. Anyone can send a user a link, so a link never replaces a
/// working license without the user's consent. Don't log the URL, which contains the key; log ``description`` instead.
public struct LicenseLink: Sendable, Hashable, CustomStringConvertible {
    /// The license key as it is in the link, percent-decoded but not normalized.
    public let key: String

    /// Parses a link; `nil` for any other URL.
    ///
    /// The key may have at most 4,096 bytes, and the URL 16,384 bytes.
    ///
    /// - With an app's own scheme, the host must be `activate`, and there must be exactly one `key`. Any scheme is
    ///   accepted except `http` and `file`, since the system delivers only the app's own.
    /// - With `https`, the path must end with `/activate`, and the fragment is the key, or `key=` and the key. Browsers
    ///   don't send a fragment to the server. The system delivers only URLs of the app's associated domains.
    public init?(_ url: URL) {
        guard url.absoluteString.utf8.count <= 16_384,
            let parts = URLComponents(url: url, resolvingAgainstBaseURL: false),
            let scheme = parts.scheme?.lowercased(), !["http", "file"].contains(scheme), parts.user == nil,
            let key = scheme == "https" ? Self.keyInFragment(of: parts) : Self.keyInQuery(of: parts),
            LicenseKeyText(key) != nil
        else { return nil }
        self.key = key
    }

    private static func keyInQuery(of parts: URLComponents) -> String? {
        guard parts.host?.lowercased() == "activate", ["", "/"].contains(parts.path), parts.fragment == nil else {
            return nil
        }
        let keys = (parts.queryItems ?? []).filter { $0.name == "key" }
        return keys.count == 1 ? keys[0].value : nil
    }

    private static func keyInFragment(of parts: URLComponents) -> String? {
        guard parts.host?.isEmpty == false, parts.path.hasSuffix("/activate"), let fragment = parts.fragment else {
            return nil
        }
        return fragment.hasPrefix("key=") ? String(fragment.dropFirst(4)) : fragment
    }

    /// A description without the key, which is safe to log.
    public var description: String { "a link with a license key" }
}

extension LicenseManager {
    /// The effect of activating a link's key.
    public enum LinkEffect: Sendable, Hashable {
        /// A license is activated; no working license is replaced.
        case activates
        /// A working license would be replaced, so ask the user first.
        case replaces
        /// The link's license is already active on this device.
        case changesNothing
    }

    /// Returns the effect of activating a link's key. If it replaces a license, ask the user before
    /// ``activate(_:replacing:)``.
    public func effect(of link: LicenseLink) async -> LinkEffect { await engine.effect(of: link.key) }

    /// Activates the key of a link.
    ///
    /// - Parameter replacing: Whether the user has agreed to replace a working license. If not, such a link changes
    ///   nothing and the answer is `.refused` with the reason `license_in_use`.
    /// - Returns: The same as ``activate(_:)``; `.done` without a request if the license is already active here.
    /// - Throws: ``LicenseError``, like ``activate(_:)``.
    @discardableResult
    public func activate(_ link: LicenseLink, replacing: Bool = false) async throws(LicenseError) -> LicenseAnswer {
        try await act { () throws(LicenseError) in
            try await engine.activate(link.key) { effect in
                switch effect {
                case .changesNothing: .done
                case .replaces: replacing ? nil : .refused(Explanation(.licenseInUse))
                case .activates: nil
                }
            }
        }
    }
}

extension LicenseEngine {
    /// The effect that activating a key would have on the current license.
    func effect(of key: String) -> LicenseManager.LinkEffect {
        guard stand().resolution.state == .licensed, let held = record?.license?.activation.key else {
            return .activates
        }
        return LicenseKeyText(held)?.digest == LicenseKeyText(key)?.digest ? .changesNothing : .replaces
    }
}
