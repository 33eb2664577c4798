package import TenureCore
package import TenureServerKit
package import TenureStore

/// Carries over what was taken back in a store, since a copy of it was made, to that copy: licenses that were revoked,
/// devices that were released, tokens that were ended. What was given since is not: it can be given again.
package struct CarryOver: Sendable {
    private let rules: [TakenBack]

    /// Carries over what all rooms say.
    package init(_ rules: [TakenBack] = Rooms.takenBack) { self.rules = rules }

    /// What it comes to.
    package struct Outcome: Sendable, Hashable {
        /// What was carried over, in the order of the rooms.
        package var items: [TakenBack.Item] = []
        /// What could not be read to its end, with the cause.
        package var unread: [Unread] = []

        /// Nothing yet.
        package init() {}

        /// What could not be read.
        package struct Unread: Sendable, Hashable {
            /// What it is about, such as `license`.
            package let kind: String
            /// Why, in words.
            package let cause: String
        }
    }

    /// How a store stands to a copy that is put back.
    package enum Relation: Sendable, Hashable {
        /// It is what the copied store became: it holds the last event that the copy has.
        case wentOn
        /// It was begun under another master key.
        case stranger
        /// It lacks what the copy has: it is an earlier state, or went on from one.
        case otherHistory
    }

    /// How they stand. A store whose events cannot be read is taken to have gone on. Throws `StoreError`.
    package static func relation(of later: any Store, to store: any Store) async throws(StoreError) -> Relation {
        guard let key = try await store.setting(MasterKey.checkValueSetting),
            try await later.setting(MasterKey.checkValueSetting) == key
        else { return .stranger }
        let last = try await store.list(Listing(EventRecord.table.all, isBackwards: true, limit: 1)).first
        guard let last else { return .wentOn }
        do throws(StoreError) {
            let seen = try await later.look(event.asked(.of(last.sequence)))
            return seen[event.looks] == last ? .wentOn : .otherHistory
        } catch {
            return .wentOn
        }
    }

    private static let event = LoadForm { ask in ask.row(EventRecord.table.key) }

    /// Carries over; doing it again changes nothing. Throws `StoreError` for the store that is put back: what the other
    /// one cannot tell any more is in the outcome.
    /// - Parameter report: Told how many of the rules are done.
    package func callAsFunction(
        from later: any Store, to store: any Store, at now: Timestamp, report: (_ done: Int, _ total: Int) -> Void
    ) async throws(StoreError) -> Outcome {
        var outcome = Outcome()
        for (place, rule) in rules.enumerated() {
            report(place, rules.count)
            var items: [TakenBack.Item] = []
            let fault = try await rule.carry(later, store, now) { items.append($0) }
            outcome.items += items
            if let fault { outcome.unread.append(.init(kind: rule.kind, cause: fault.description)) }
        }
        report(rules.count, rules.count)
        return outcome
    }
}

extension Rooms {
    /// What a store that is put back must not give again.
    package static let takenBack = [TakenBack.tokens] + all.flatMap(\.takenBack)
}

extension TakenBack {
    fileprivate static let tokens = TakenBack(
        "token", of: TokenRecord.self, where: [[Comparison("revoked_at", .isNotNull)]], named: \.id
    ) { copied, later in
        guard copied.revokedAt == nil else { return nil }
        var revoked = copied
        revoked.revokedAt = later.revokedAt
        return (revoked, ["revoked"])
    }
}
