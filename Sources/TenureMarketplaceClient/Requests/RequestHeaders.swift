public import TenureCore
import TenureFormats

/// Which fields an extension adds to a request that the system is about to send: what `additionalHeaders` answers.
///
/// An account's bearer goes to the marketplace's own domain and to the hosts that its configuration names, over https,
/// and nowhere else: whoever has it is that person.
public struct RequestHeaders: Sendable, Hashable {
    private let places: Set<String>
    private let territory: String?

    /// Learns where credentials may go.
    /// - Parameters:
    ///   - domain: The marketplace's, such as `market.example`; one that cannot be read is none.
    ///   - configuration: Every URL that `/.well-known/marketplace-kit` names, those of `overridesByAppleItemID`
    ///     included. URLs that are not https, or that two readers could understand differently, are none.
    ///   - territory: Where the marketplace app is, two letters or three (`AppLibrary.catalogRegion`).
    public init(domain: String, configuration: [String] = [], territory: String? = nil) {
        let bare = WebURL("https://" + domain).flatMap { $0.rest.isEmpty ? Self.place(of: "https://" + domain) : nil }
        places = Set([bare].compactMap(\.self) + configuration.compactMap(Self.place))
        self.territory = territory.flatMap { Territory(named: $0) == nil ? nil : $0 }
    }

    /// Answers the fields for one request; none where the URL is not one of the marketplace's, and for an account whose
    /// bearer is not known.
    /// - Parameters:
    ///   - url: Where the request goes now.
    ///   - visited: Where it went before and was sent on from. One place that is not the marketplace's among them, and
    ///     nothing is added: who redirects may otherwise choose what a person's token is spent on.
    ///   - account: Whose request it is. Accounts are told apart by their bytes.
    ///   - bearers: The access tokens of the accounts that are signed in.
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

    /// Whether a URL is one that this marketplace's credentials may go to.
    public func isOwn(_ url: String) -> Bool {
        Self.place(of: url).map(places.contains) ?? false
    }

    /// Host and port of an https URL, the smallest thing that a credential may be meant for; nil for one that names a user
    /// or an IPv6 address, and for what is no such URL.
    static func place(of url: String) -> String? {
        guard let url = WebURL(url), url.scheme == "https", !url.hasUser, !url.host.contains(":") else { return nil }
        return "\(url.host):\(url.port ?? 443)"
    }

    /// RFC 6750's `b64token`: what cannot end a field early.
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
