import TenureCore
import TenureServerKit
import TenureStore

extension Notice {
    /// A notification with its outcome, for display.
    struct Line: Sendable, Hashable {
        /// The tenant whose secret signed the notification.
        let tenant: TenantID
        let id: String
        /// The notification's type as received.
        let type: String
        /// The app that the notification concerns; `nil` if it names none.
        let item: AppleItemID?
        /// When the event happened; `nil` if the notification has no date.
        let happenedAt: Timestamp?
        let receivedAt: Timestamp
        /// The outcome: `waiting`, `applied`, `unchanged`, `outdated`, `ignored`, `foreign`, `unmatched`, `unreadable`
        /// or `forgotten`.
        let outcome: String
        /// Details of the outcome; `nil` if the outcome has no details.
        let detail: String?
    }
}

extension FeatureContext {
    /// Reads a tenant's notifications, newest first.
    ///
    /// - Parameter limit: The most notifications to return, 1 to 1,000.
    func notices(of tenant: TenantID, limit: Int) async throws(ServerError) -> [Notice.Line] {
        let notices = try await store.list(Listing(Notice.ofTenant, [.of(tenant)], limit: limit))
        return notices.map(Notice.Line.init)
    }

    /// Reads the notifications that name packages unknown to the server, newest first, at most 1,000.
    func unmatchedNotices() async throws(ServerError) -> [Notice.Line] {
        let notices = try await store.list(Listing(Notice.ofOutcome, [.of(Notice.Outcome.unmatched)], limit: 1000))
        return notices.map(Notice.Line.init)
    }

    /// Acts on a notification again, even if an operator has undone it.
    ///
    /// The notification still takes effect from the time that it states. A waiting notification is left to its job. A
    /// foreign or unreadable notification isn't changed. Returns `false` if the id is unknown. Throws ``ServerError``
    /// if the store fails.
    func replayNotice(_ id: String, of tenant: TenantID) async throws(ServerError) -> Bool {
        let now = clock.now()
        var random = SystemRandomNumberGenerator()
        let job = JobName.notice.job(id, id: .random(using: &random), of: tenant, at: now)
        let plan = ActOnNotice.one
        let change = Transaction(plan.bind(.init(tenant: tenant, id: id))) { results -> TransactionResult<Bool> in
            guard let before = results[plan.queries] else { return TransactionResult(false) }
            guard before.outcome != .waiting, before.outcome != .foreign, before.outcome != .unreadable else {
                return TransactionResult(true)
            }
            var after = before
            (after.outcome, after.detail) = (.waiting, nil)
            return TransactionResult(true, [.replace(before, by: after), .insert(job)])
        }
        return try await store.perform(change)
    }
}

extension Notice.Line {
    fileprivate init(_ notice: Notice) {
        self.init(
            tenant: notice.tenant, id: notice.id, type: notice.type, item: notice.item,
            happenedAt: notice.happenedAt.map { Timestamp(seconds: $0 / 1_000_000) }, receivedAt: notice.receivedAt,
            outcome: notice.outcome.rawValue, detail: notice.detail)
    }
}
