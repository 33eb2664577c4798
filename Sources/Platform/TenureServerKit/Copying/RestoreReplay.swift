package import TenureCore
package import TenureStore

/// Applies the revocations of a later store to a restored backup, so that what they ended doesn't become valid again.
///
/// Examples are revoked licenses, released devices and ended tokens. New licenses and other grants are the subject of
/// ``CarryIssued``.
package struct RestoreReplay: Sendable {
    private let rules: [RestoreExclusion]

    /// Creates the operation with the rules of a server's features.
    package init(_ rules: [RestoreExclusion]) { self.rules = rules }

    /// The result of carrying over.
    package struct Outcome: Sendable, Hashable {
        /// What was carried over, in the order of the rules.
        package var items: [RestoreExclusion.Item] = []
        /// The kinds of the later store's events that explain a record's state in the restored store, even if it's
        /// unchanged.
        package var events: [EventsSince.Record: Set<EventKind>] = [:]
        /// What couldn't be read completely, with the cause.
        package var unread: [Unread] = []

        package init() {}

        /// A kind that couldn't be read completely.
        package struct Unread: Sendable, Hashable {
            /// The kind of the records, such as `license`.
            package let kind: String
            /// The cause, for operators.
            package let cause: String
        }
    }

    /// How a store relates to a backup that replaces it.
    package enum Relation: Sendable, Hashable {
        /// The store is a later state of the backed-up store: it contains the backup's last event.
        case wentOn
        /// The store belongs to another installation.
        case stranger
        /// The store lacks the backup's last event: it's an earlier state, or developed from one.
        case otherHistory
    }

    /// Determines how a store relates to a backup.
    ///
    /// If the store's events can't be read, the result is ``Relation/wentOn``. Throws `StoreError`.
    ///
    /// - Parameters:
    ///   - later: The store that may be a later state.
    ///   - store: The restored backup.
    package static func relation(of later: any Store, to store: any Store) async throws(StoreError) -> Relation {
        guard try await StoreID.isSame(store, later) else { return .stranger }
        for counter in try await EventCounter.all(in: store) {
            let last = try await store.list(
                Listing(EventRecord.ofTenant, [.of(counter.tenant)], isBackwards: true, limit: 1)
            ).first
            guard let last else { continue }
            do throws(StoreError) {
                let results = try await later.fetch(event.bind(last))
                if results[event.queries] != last { return .otherHistory }
            } catch {
                return .wentOn
            }
        }
        return .wentOn
    }

    private static let event = QueryPlan(for: EventRecord.self) { query in
        query.row(EventRecord.table.key) { [.of($0.event.subject.tenant), .of($0.sequence)] }
    }

    /// Carries over the later store's revocations; repeating the call changes nothing.
    ///
    /// - Parameters:
    ///   - own: What the restored store has recorded itself; `nil` for an old copy that isn't in use.
    ///   - report: Gets the number of rules done and the total.
    /// - Throws: `StoreError` if the restored store fails. Read errors of the later store are part of the outcome.
    package func replay(
        from later: any Store, to store: any Store, after own: OwnHistory? = nil, at now: Timestamp,
        report: (_ done: Int, _ total: Int) -> Void
    ) async throws(StoreError) -> Outcome {
        var outcome = Outcome()
        let comparison = WithdrawalComparison(later: later, store: store, now: now, own: own)
        for (place, rule) in rules.enumerated() {
            report(place, rules.count)
            var result = RestoreExclusion.Result()
            let fault = try await rule.carry(comparison, &result)
            outcome.items += result.items
            outcome.events.merge(result.events) { $0.union($1) }
            if let fault { outcome.unread.append(.init(kind: rule.kind, cause: fault.description)) }
        }
        report(rules.count, rules.count)
        return outcome
    }
}

extension RestoreExclusion {
    static let tokens = RestoreExclusion(
        "token", of: TokenRecord.self, where: [[Comparison("revoked_at", .isNotNull)]], named: \.id
    ) { copied, later, _ in
        guard copied.revokedAt == nil else { return nil }
        var revoked = copied
        revoked.revokedAt = later.revokedAt
        return (revoked, ["revoked"])
    }
}
