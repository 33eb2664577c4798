package import TenureCore
package import TenureStore

/// Forgets what nobody asks for any more and what is better not kept, as the rooms say it: a group of each at a turn.
package struct Purge: Service {
    let store: any Store
    let clock: any WallClock
    let interval: Duration
    let forgets: [Forgets]

    /// Forgets what rooms name, so often.
    package init(store: any Store, clock: any WallClock, interval: Duration, _ forgets: [Forgets]) {
        self.store = store
        self.clock = clock
        self.interval = interval
        self.forgets = forgets
    }

    /// Names it.
    package var name: String { "purge" }

    /// Forgets a group of each kind of what is old enough now; when there was more, the next turn is due at once.
    package func turn(as leader: LeaderTerm?) async throws(ServerError) -> NextTurn {
        let now = clock.now()
        var isMore = false
        for forget in forgets {
            let isRest = try await asking { () async throws(StoreError) in try await forget.group(in: store, at: now) }
            isMore = isMore || isRest
        }
        return isMore ? .atOnce : .after(interval)
    }
}

/// Rows that are removed once a date in them lies far enough behind.
package struct Forgets: Sendable {
    private let forget: @Sendable (any Store, Timestamp) async throws(StoreError) -> Bool

    /// Names what is over.
    /// - Parameters:
    ///   - forgetting: The set, in the order of the date.
    ///   - column: The date's column.
    ///   - seconds: For how long it is kept after that.
    ///   - others: What else must hold of a row for the listing to find it.
    ///   - isOver: Whether a row is over at a moment so long ago.
    package init<Row: Stored>(
        _ forgetting: Forgetting<Row>, by column: String, after seconds: Int64, where others: [Comparison] = [],
        isOver: @escaping @Sendable (Row, _ limit: Timestamp) -> Bool
    ) {
        forget = { store, now throws(StoreError) in
            let limit = now.adding(seconds: -seconds)
            return try await forgetting(in: store, where: [Comparison(column, .below(.of(limit)))] + others) { row in
                isOver(row, limit)
            }
        }
    }

    /// Removes a group; answers whether there may be more.
    func group(in store: any Store, at now: Timestamp) async throws(StoreError) -> Bool { try await forget(store, now) }

    /// Answers that may be asked for again: they may hold license keys.
    package static let answers = Forgets(.answers, by: "at", after: RememberedAnswer.lifetime) { answer, limit in
        answer.at < limit
    }

    /// For how long tokens, links and sessions are kept after their end, while support may still look for them: a month,
    /// in seconds.
    package static let credentialSeconds: Int64 = 30 * 86_400
}
