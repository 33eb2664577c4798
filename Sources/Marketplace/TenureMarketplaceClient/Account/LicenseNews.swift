public import TenureCore

/// The response of the state endpoint: the apps to renew, the apps whose license ended at least two weeks ago, and the
/// next cursor.
public struct LicenseNews: Sendable, Hashable, Decodable {
    /// The position to continue from; send it as `since` in the next request.
    public let cursor: String
    /// Whether another page of results is available right now.
    public let hasMore: Bool
    /// The apps to pass to `requestLicenseRenewal`.
    public let renew: Set<ItemID>
    /// Apps whose license ended at least two weeks ago; the server doesn't list them in `renew`.
    public let expired: Set<ItemID>

    /// Creates a value from its parts.
    public init(cursor: String, hasMore: Bool = false, renew: Set<ItemID> = [], expired: Set<ItemID> = []) {
        self.cursor = cursor
        self.hasMore = hasMore
        self.renew = renew
        self.expired = expired
    }

    /// Decodes a response.
    ///
    /// Throws an error if `cursor` or `renew` is missing. Invalid app ids are skipped.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: MemberName.self)
        let licenses = try members.decodeIfPresent([Entry].self, forKey: MemberName("licenses")) ?? []
        self.init(
            cursor: try members.decode(String.self, forKey: MemberName("cursor")),
            hasMore: try members.decodeIfPresent(Bool.self, forKey: MemberName("hasMore")) ?? false,
            renew: Set(
                try members.decode([String].self, forKey: MemberName("renew")).compactMap { ItemID(text: $0) }),
            expired: Set(licenses.compactMap { $0.cause == "expired" ? ItemID(text: $0.appleItemID) : nil }))
    }

    private struct Entry: Decodable {
        let appleItemID: String
        let cause: String?

        /// The names on the wire.
        private enum CodingKeys: String, CodingKey {
            case appleItemID = "appleItemID"
            case cause = "cause"
        }
    }
}
