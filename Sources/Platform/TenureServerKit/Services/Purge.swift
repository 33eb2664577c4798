package import TenureCore
package import TenureStore

/// Deletes the rows that the retention rules select, one batch per rule and turn.
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

    /// Deletes one batch per rule. If more rows may be due for deletion, the next turn follows immediately.
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

/// A rule that deletes each row a fixed time after a date in the row.
package struct RetentionRule: Sendable {
    private let forget: @Sendable (any Store, Timestamp) async throws(StoreError) -> Bool

    /// Declares a rule by a function that deletes one batch, and returns whether there may be more rows to delete.
    package init(_ forget: @escaping @Sendable (any Store, Timestamp) async throws(StoreError) -> Bool) {
        self.forget = forget
    }

    /// Declares a rule.
    ///
    /// - Parameters:
    ///   - sweep: Deletes rows of a set. The set must be ordered by the date.
    ///   - column: The column with the date.
    ///   - seconds: How long a row stays in the store after the date, in seconds.
    ///   - others: Further conditions for deleting a row.
    ///   - isOver: Returns whether a row's date is before the limit. Called inside the transaction that deletes the
    ///     row.
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

    /// Deletes a batch. Returns whether there may be more rows to delete.
    package func group(in store: any Store, at now: Timestamp) async throws(StoreError) -> Bool {
        try await forget(store, now)
    }
}
