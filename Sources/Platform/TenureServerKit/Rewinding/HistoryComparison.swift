import TenureCore

/// Compares what a server remembers of a store's history with what the store has.
struct HistoryComparison: Sendable, Hashable {
    /// The facts about a store that the decision needs.
    struct StoreFacts: Sendable, Hashable {
        var id: String?
        /// The number of each tenant's last event; a tenant without events is left out.
        var last: [TenantID: Int64] = [:]
        /// The stored events with the numbers of the remembered ones.
        var events: [ConfirmedEvent] = []
    }

    /// How the store's history relates to the one that the server remembers.
    enum Outcome: Sendable, Hashable {
        /// The store has all remembered events.
        case continued
        /// The store has another history: it was restored, recovered or replaced on purpose.
        case replaced
        /// The store lacks these events, or has others in their place.
        case lacking(Set<ConfirmedEvent>)
    }

    /// Compares what a server remembers with what the store has.
    static func outcome(of known: RememberedHistory, in store: StoreFacts) -> Outcome {
        if known.events.isEmpty { return .continued }
        guard known.id == store.id else { return .replaced }
        let stored = Set(store.events)
        let lacking = known.events.filter { event in
            event.number > store.last[event.tenant] ?? 0 || !stored.contains(event)
        }
        return lacking.isEmpty ? .continued : .lacking(Set(lacking))
    }

    /// The lost event numbers of each tenant, from the first to the last.
    ///
    /// Events below a later `store.restored` of their tenant are left out, because their loss is recorded.
    ///
    /// - Parameter restored: The number of each tenant's last event `store.restored`.
    static func lost(
        _ lacking: Set<ConfirmedEvent>, last: [TenantID: Int64], restored: [TenantID: Int64]
    ) -> [TenantID: ClosedRange<Int64>] {
        var lost: [TenantID: ClosedRange<Int64>] = [:]
        for event in lacking where event.number > restored[event.tenant] ?? 0 {
            // A server may remember only the last ones of consecutive lost events.
            let first = min(event.number, (last[event.tenant] ?? 0) + 1)
            let range = lost[event.tenant] ?? first...event.number
            lost[event.tenant] = min(range.lowerBound, first)...max(range.upperBound, event.number)
        }
        return lost
    }
}
