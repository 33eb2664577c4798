public import Foundation
import TenureFormats

/// A link that carries a license key into an app: `SCHEME://activate?key=KEY`, as a vendor's shop puts it into a letter.
///
/// Anybody may send a person a link. So it replaces no license that works without a question to the person, and its key
/// stands in no log: print the link's ``description``, never the URL.
public struct LicenseLink: Sendable, Hashable, CustomStringConvertible {
    /// The license key, as the link has it.
    public let key: String

    /// Reads a link; nil for any other URL: another word than `activate`, no key or several, a key that is none, or more
    /// than 2,048 bytes. The app's own scheme brought it here, so that any scheme is taken but `http`, `https` and `file`.
    public init?(_ url: URL) {
        guard url.absoluteString.utf8.count <= 2048,
            let parts = URLComponents(url: url, resolvingAgainstBaseURL: false),
            let scheme = parts.scheme?.lowercased(), !["http", "https", "file"].contains(scheme),
            parts.host?.lowercased() == "activate", ["", "/"].contains(parts.path), parts.user == nil,
            parts.fragment == nil
        else { return nil }
        let keys = (parts.queryItems ?? []).filter { $0.name == "key" }
        guard keys.count == 1, let key = keys[0].value, LicenseKeyText(key) != nil else { return nil }
        self.key = key
    }

    /// The same without the key.
    public var description: String { "a link with a license key" }
}

extension LicenseManager {
    /// What opening a link would do.
    public enum LinkEffect: Sendable, Hashable {
        /// A license is activated where none works.
        case activates
        /// A license that works would be replaced: ask the person first.
        case replaces
        /// The license is the one that is here.
        case changesNothing
    }

    /// Says what a link would do; ask the person before ``activate(_:replacing:)`` where it replaces something.
    public func effect(of link: LicenseLink) async -> LinkEffect { await engine.effect(of: link.key) }

    /// Activates the key of a link.
    ///
    /// - Parameter replacing: Whether the person agreed to replace a license that works. Without that such a link changes
    ///   nothing: it is `.refused`, with `license_in_use`.
    /// - Returns: As ``activate(_:)``; `.done` at once where the license is the one that is here.
    /// - Throws: ``LicenseError``, as ``activate(_:)``.
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
    /// What activating a key would do to the license that is here.
    func effect(of key: String) -> LicenseManager.LinkEffect {
        guard stand().resolution.state == .licensed, let held = record?.license?.activation.key else {
            return .activates
        }
        return LicenseKeyText(held)?.digest == LicenseKeyText(key)?.digest ? .changesNothing : .replaces
    }
}
