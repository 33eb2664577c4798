public import TenureCore
import TenureFormats
import TenureMarketplace

/// Computes the header fields that an extension adds to the system's requests (`additionalHeaders`).
///
/// An account's bearer token is sent only over https, and only to the marketplace's own domain and the hosts in its
/// configuration. Anyone who receives the token can act as the user.
public struct RequestHeaders: Sendable, Hashable {
    private let places: Set<String>
    private let territory: String?

    /// Collects the hosts that may receive credentials.
    /// - Parameters:
    ///   - domain: The marketplace's domain, such as `market.example`; ignored if invalid.
    ///   - configuration: Every URL in `/.well-known/marketplace-kit`, including those of `overridesByAppleItemID`.
    ///     URLs that aren't https or that parsers could interpret differently are ignored.
    ///   - territory: The marketplace app's territory, as two or three letters (`AppLibrary.catalogRegion`).
    public init(domain: String, configuration: [String] = [], territory: String? = nil) {
        let bare = WebURL("https://" + domain).flatMap { $0.rest.isEmpty ? Self.path(of: "https://" + domain) : nil }
        places = Set([bare].compactMap(\.self) + configuration.compactMap(Self.path))
        self.territory = territory.flatMap { Territory(named: $0) == nil ? nil : $0 }
    }

    /// The header fields for a request; empty if the URL isn't the marketplace's or the account's token is unknown.
    /// - Parameters:
    ///   - url: The URL that the request is being sent to.
    ///   - visited: The URLs that redirected the request so far. If one of them isn't the marketplace's, no fields are
    ///     added: otherwise a foreign server could choose what the user's token is used for.
    ///   - account: The account that the request is for. Account ids are compared by their bytes.
    ///   - bearers: The access tokens of the signed-in accounts.
    public func fields(
        for url: String, after visited: [String] = [], account: AccountID, bearers: [AccountID: String]
    ) -> [String: String] {
        guard isOwn(url), visited.allSatisfy(isOwn), let bearer = bearers[account], Self.isBearer(bearer) else {
            return [:]
        }
        var fields = ["Authorization": "Bearer \(bearer)"]
        fields["Tenure-Territory"] = territory
        return fields
    }

    /// Whether the marketplace's credentials may be sent to a URL.
    public func isOwn(_ url: String) -> Bool {
        Self.path(of: url).map(places.contains) ?? false
    }

    /// The host and port of an https URL, as `HOST:PORT`.
    ///
    /// The result is `nil` for any other URL, and for a URL that contains user information or an IPv6 address.
    static func path(of url: String) -> String? {
        guard let url = WebURL(url), url.scheme == "https", !url.hasUser, !url.host.contains(":") else { return nil }
        return "\(url.host):\(url.port ?? 443)"
    }

    /// Whether the text is a `b64token` (RFC 6750) of at most 4096 bytes, which can't break out of the field.
    private static func isBearer(_ text: String) -> Bool {
        (1...4096).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: Array("-._~+/=".utf8).contains(byte)
                }
            }
    }
}
