package import TenureCore
package import TenureStore

/// Deletes rows that are no longer needed: one batch per rule and turn.
package struct Purge: Service {
    let store: any Store
    let clock: any WallClock
    let interval: Duration
    let retention: [RetentionRule]

    package init(store: any Store, clock: any WallClock, interval: Duration, _ retention: [RetentionRule]) {
        self.store = store
        self.clock = clock
        self.interval = interval
        self.retention = retention
    }

    package var name: String { "purge" }

    /// Deletes one batch per rule; if there may be more to delete, the next turn follows immediately.
    package func turn(as leader: LeaderTerm?) async throws(ServerError) -> NextTurn {
        let now = clock.now()
        var isMore = false
        for forget in retention {
            let isRest = try await asking { try await forget.group(in: store, at: now) }
            isMore = isMore || isRest
        }
        return isMore ? .atOnce : .after(interval)
    }
}

/// A rule that deletes each row some time after a date in that row.
package struct RetentionRule: Sendable {
    private let forget: @Sendable (any Store, Timestamp) async throws(StoreError) -> Bool

    /// Declares a rule that deletes a batch itself and returns whether there may be more.
    package init(_ forget: @escaping @Sendable (any Store, Timestamp) async throws(StoreError) -> Bool) {
        self.forget = forget
    }

    /// Declares a rule.
    ///
    /// - Parameters:
    ///   - sweep: Deletes rows of a set, which must be ordered by the date.
    ///   - column: The column with the date.
    ///   - seconds: How long a row is kept after the date, in seconds.
    ///   - others: Further conditions that a row must meet.
    ///   - isOver: Returns whether a row's date is before the limit; called inside the transaction.
    package init<Row: Stored>(
        _ sweep: RetentionSweep<Row>, by column: String, after seconds: Int64, where others: [Comparison] = [],
        isOver: @escaping @Sendable (Row, _ limit: Timestamp) -> Bool
    ) {
        forget = { store, now throws(StoreError) in
            let limit = now.adding(seconds: -seconds)
            let filter = [Comparison(column, .below(.of(limit)))] + others
            return try await sweep.removeBatch(in: store, where: filter) { row in isOver(row, limit) }
        }
    }

    /// Deletes a batch; returns whether there may be more.
    package func group(in store: any Store, at now: Timestamp) async throws(StoreError) -> Bool {
        try await forget(store, now)
    }
}
