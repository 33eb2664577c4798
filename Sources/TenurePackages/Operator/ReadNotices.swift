public import TenureCore
import TenureFormats
public import TenureServerKit
public import TenureStore

/// Lists the notifications that App Store Connect has sent, and has one acted on again.
public struct ReadNotices: Sendable {
    let store: any Store
    let clock: any WallClock

    /// Reads a store.
    public init(store: any Store, clock: any WallClock) {
        self.store = store
        self.clock = clock
    }

    /// A notification for people.
    public struct Line: Sendable, Hashable {
        /// Whose marketplace.
        public let tenant: TenantID
        /// Apple's name for it.
        public let id: String
        /// Its type.
        public let type: String
        /// Which app; nil where it names none.
        public let item: AppleItemID?
        /// When it happened; nil where it does not say.
        public let happenedAt: Timestamp?
        /// When it came.
        public let receivedAt: Timestamp
        /// What became of it: `waiting`, `applied`, `unchanged`, `outdated`, `ignored`, `foreign`, `unmatched`,
        /// `unreadable`, `forgotten`.
        public let outcome: String
        /// More of that; nil for nothing.
        public let detail: String?
    }

    /// A tenant's, or all, the latest first. Throws ``ServerError``.
    /// - Parameter limit: How many at most, 1 to 1000.
    public func callAsFunction(of tenant: TenantID, limit: Int) async throws(ServerError) -> [Line] {
        let notices = try await asking { () async throws(StoreError) in
            try await store.list(Listing(Notice.ofTenant, [.of(tenant)], limit: limit))
        }
        return notices.map(Line.init)
    }

    /// How many came that name packages nobody has told the server of, 1000 at most. Throws ``ServerError``.
    public func unmatched() async throws(ServerError) -> [Line] {
        let notices = try await asking { () async throws(StoreError) in
            try await store.list(Listing(Notice.ofOutcome, [.of(Notice.Outcome.unmatched)], limit: 1000))
        }
        return notices.map(Line.init)
    }

    /// Has a notification acted on again, by its own time as ever, one that was undone too; one that waits is left to its
    /// job. Answers false where there is none of that name. Throws ``ServerError``.
    public func replay(_ id: String, of tenant: TenantID) async throws(ServerError) -> Bool {
        let now = clock.now()
        var random = SystemRandomNumberGenerator()
        let job = JobName.notice.job(id, id: .random(using: &random), of: tenant, at: now)
        let form = ActOnNotice.one
        let change = Change(form.asked(.of(tenant), .of(id))) { seen -> Saving<Bool> in
            guard let before = seen[form.looks] else { return Saving(false) }
            guard before.outcome != .waiting, before.outcome != .foreign, before.outcome != .unreadable else {
                return Saving(true)
            }
            var after = before
            (after.outcome, after.detail) = (.waiting, nil)
            return Saving(true, [.replace(before, by: after), .insert(job)])
        }
        return try await asking { () async throws(StoreError) in try await store.perform(change) }
    }
}

extension ReadNotices.Line {
    fileprivate init(_ notice: Notice) {
        self.init(
            tenant: notice.tenant, id: notice.id, type: notice.type, item: notice.item,
            happenedAt: notice.happenedAt.map { Timestamp(seconds: $0 / 1_000_000) }, receivedAt: notice.receivedAt,
            outcome: notice.outcome.rawValue, detail: notice.detail)
    }
}
