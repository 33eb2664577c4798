package import TenureCore
package import TenureStore

/// Applies the revocations of a later store to a restored backup, so that they stay in effect.
///
/// Examples are revoked licenses, released devices and ended tokens. ``CarryIssued`` handles new licenses and other
/// grants.
package struct RestoreReplay: Sendable {
    private let rules: [RestoreExclusion]

    /// Creates the operation with the rules of a server's features.
    package init(_ rules: [RestoreExclusion]) { self.rules = rules }

    /// The result of carrying over revocations.
    package struct Outcome: Sendable, Hashable {
        /// The records to which revocations were carried over, in the order of the rules.
        package var items: [RestoreExclusion.Item] = []
        /// The kinds of the later store's events that explain a record's state in the restored store. Records that
        /// didn't change are included.
        package var events: [EventsSince.Record: Set<EventKind>] = [:]
        /// The kinds of records that couldn't be read completely, with the cause.
        package var unread: [Unread] = []

        package init() {}

        /// A kind of record that couldn't be read completely.
        package struct Unread: Sendable, Hashable {
            /// The kind of the records, such as `license`.
            package let kind: String
            /// Why the records couldn't be read, for operators.
            package let cause: String
        }
    }

    /// How a store relates to a backup that replaces it.
    package enum Relation: Sendable, Hashable {
        /// The store is a later state of the backed-up store: it contains the backup's last event.
        case wentOn
        /// The store belongs to another installation.
        case stranger
        /// The store lacks the backup's last event: it's an earlier state, or it continued from an earlier state.
        case otherHistory
    }

    /// Determines how a store relates to a backup.
    ///
    /// If the events of `later` can't be read, the result is ``Relation/wentOn``. Throws `StoreError`.
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

    /// Carries over the later store's revocations. Repeating the call changes nothing.
    ///
    /// - Parameters:
    ///   - own: The events that the restored store has recorded since its history split from the later store's, if it's
    ///     in use; `nil` for an old copy.
    ///   - report: Receives the number of finished rules and the number of all rules.
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
