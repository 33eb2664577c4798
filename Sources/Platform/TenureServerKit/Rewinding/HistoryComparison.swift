import TenureCore

/// Compares the history that a server remembers with the history in the store.
struct HistoryComparison: Sendable, Hashable {
    /// The facts about a store that the comparison needs.
    struct StoreFacts: Sendable, Hashable {
        var id: String?
        /// The number of each tenant's last event. Tenants without events are left out.
        var last: [TenantID: Int64] = [:]
        /// The stored events that have the numbers of remembered events.
        var events: [ConfirmedEvent] = []
    }

    /// The relation between the store's history and the history that the server remembers.
    enum Outcome: Sendable, Hashable {
        /// The store has every remembered event.
        case continued
        /// The store has another history: it was restored, recovered or replaced on purpose.
        case replaced
        /// The store lacks these events, or has different events with the same numbers.
        case lacking(Set<ConfirmedEvent>)
    }

    /// Compares the remembered history with the facts about the store.
    static func outcome(of known: RememberedHistory, in store: StoreFacts) -> Outcome {
        if known.events.isEmpty { return .continued }
        guard known.id == store.id else { return .replaced }
        let stored = Set(store.events)
        let lacking = known.events.filter { event in
            event.number > store.last[event.tenant] ?? 0 || !stored.contains(event)
        }
        return lacking.isEmpty ? .continued : .lacking(Set(lacking))
    }

    /// Returns the range of lost event numbers for each tenant.
    ///
    /// Events below a later event `store.restored` of their tenant are left out, because their loss is recorded.
    ///
    /// - Parameter restored: The number of each tenant's last event `store.restored`.
    static func lost(
        _ lacking: Set<ConfirmedEvent>, last: [TenantID: Int64], restored: [TenantID: Int64]
    ) -> [TenantID: ClosedRange<Int64>] {
        var lost: [TenantID: ClosedRange<Int64>] = [:]
        for event in lacking where event.number > restored[event.tenant] ?? 0 {
            // A server may remember only the last of several consecutive lost events.
            let first = min(event.number, (last[event.tenant] ?? 0) + 1)
            let range = lost[event.tenant] ?? first...event.number
            lost[event.tenant] = min(range.lowerBound, first)...max(range.upperBound, event.number)
        }
        return lost
    }
}
