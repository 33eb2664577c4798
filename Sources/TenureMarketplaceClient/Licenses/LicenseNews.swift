public import TenureCore

/// What the state endpoint answers: which apps to have renewed, and where to go on.
public struct LicenseNews: Sendable, Hashable, Decodable {
    /// Where to go on the next time.
    public let cursor: String
    /// Whether there is more to tell at once.
    public let hasMore: Bool
    /// The apps to hand to `requestLicenseRenewal`.
    public let renew: Set<AppleItemID>
    /// Apps whose license ended long ago: the server does not list them in `renew`.
    public let expired: Set<AppleItemID>

    /// Puts one together.
    public init(cursor: String, hasMore: Bool = false, renew: Set<AppleItemID> = [], expired: Set<AppleItemID> = []) {
        self.cursor = cursor
        self.hasMore = hasMore
        self.renew = renew
        self.expired = expired
    }

    /// Reads an answer. Throws when it has no cursor or no `renew`; ids that are none are left out.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: MemberName.self)
        let licenses = try members.decodeIfPresent([Entry].self, forKey: MemberName("licenses")) ?? []
        self.init(
            cursor: try members.decode(String.self, forKey: MemberName("cursor")),
            hasMore: try members.decodeIfPresent(Bool.self, forKey: MemberName("hasMore")) ?? false,
            renew: Set(
                try members.decode([String].self, forKey: MemberName("renew")).compactMap { AppleItemID(text: $0) }),
            expired: Set(licenses.compactMap { $0.cause == "expired" ? AppleItemID(text: $0.appleItemID) : nil }))
    }

    private struct Entry: Decodable {
        let appleItemID: String
        let cause: String?
    }
}
