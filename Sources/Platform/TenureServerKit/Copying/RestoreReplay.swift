package import TenureCore
package import TenureStore

/// Carries over to a restored copy what was taken back since it was made.
///
/// Examples are revoked licenses, released devices and ended tokens. New grants aren't carried over, because they can
/// be granted again.
package struct RestoreReplay: Sendable {
    private let rules: [RestoreExclusion]

    /// Uses the rules of a server's features.
    package init(_ rules: [RestoreExclusion]) { self.rules = rules }

    /// The result of carrying over.
    package struct Outcome: Sendable, Hashable {
        /// What was carried over, in the features' order.
        package var items: [RestoreExclusion.Item] = []
        /// What couldn't be read completely, with the cause.
        package var unread: [Unread] = []

        package init() {}

        /// A kind that couldn't be read completely.
        package struct Unread: Sendable, Hashable {
            /// What kind of thing it's about, such as `license`.
            package let kind: String
            /// The cause, in words.
            package let cause: String
        }
    }

    /// How a store relates to a copy that is restored in its place.
    package enum Relation: Sendable, Hashable {
        /// It continued from the copied state: it contains the last event of the copy.
        case wentOn
        /// It was created under another master key.
        case stranger
        /// It lacks the copy's last event: it's an earlier state, or continued from one.
        case otherHistory
    }

    /// Compares the two.
    ///
    /// A store whose events can't be read is assumed to have continued. Throws `StoreError`.
    package static func relation(of later: any Store, to store: any Store) async throws(StoreError) -> Relation {
        guard let key = try await store.setting(MasterKey.checkValueSetting),
            try await later.setting(MasterKey.checkValueSetting) == key
        else { return .stranger }
        let last = try await store.list(Listing(EventRecord.table.all, isBackwards: true, limit: 1)).first
        guard let last else { return .wentOn }
        do throws(StoreError) {
            let results = try await later.fetch(event.bind(last.sequence))
            return results[event.queries] == last ? .wentOn : .otherHistory
        } catch {
            return .wentOn
        }
    }

    private static let event = QueryPlan(for: Int64.self) { query in query.row(EventRecord.table.key) { [.of($0)] } }

    /// Carries over; repeating the call changes nothing.
    ///
    /// Throws `StoreError` for the restored store. Read errors of the later store are in the outcome.
    ///
    /// - Parameter report: Gets the number of rules that are done.
    package func callAsFunction(
        from later: any Store, to store: any Store, at now: Timestamp, report: (_ done: Int, _ total: Int) -> Void
    ) async throws(StoreError) -> Outcome {
        var outcome = Outcome()
        for (place, rule) in rules.enumerated() {
            report(place, rules.count)
            var items: [RestoreExclusion.Item] = []
            let fault = try await rule.carry(later, store, now) { items.append($0) }
            outcome.items += items
            if let fault { outcome.unread.append(.init(kind: rule.kind, cause: fault.description)) }
        }
        report(rules.count, rules.count)
        return outcome
    }
}

extension RestoreExclusion {
    static let tokens = RestoreExclusion(
        "token", of: TokenRecord.self, where: [[Comparison("revoked_at", .isNotNull)]], named: \.id
    ) { copied, later in
        guard copied.revokedAt == nil else { return nil }
        var revoked = copied
        revoked.revokedAt = later.revokedAt
        return (revoked, ["revoked"])
    }
}
