import TenureCore

/// All facts about one order, from which everything else about the order is computed.
///
/// The order of arrival doesn't matter. If two facts have the same key, `saysMore(than:)` decides which of them stays.
package struct OrderFacts: Sendable, Hashable {
    /// The source whose messages reported the facts.
    package let source: SourceID

    /// The provider's id of the order.
    package let reference: ProviderID

    /// The facts by their natural key.
    package private(set) var byKey: [String: OrderFact]

    /// Creates the set from stored facts. If several have the same key, one of them stays, as with ``add(_:)``.
    package init(source: SourceID, reference: ProviderID, _ facts: some Sequence<OrderFact> = [OrderFact]()) {
        self.source = source
        self.reference = reference
        byKey = [:]
        for fact in facts { add(fact) }
    }

    /// The facts, sorted by time and key.
    package var sorted: [OrderFact] {
        byKey.sorted { ($0.value.time, $0.key) < ($1.value.time, $1.key) }.map(\.value)
    }

    /// The result of adding a fact.
    package enum Addition: Sendable, Hashable {
        /// The fact is new or replaced another.
        case changed
        /// The set already contains the fact, or one of the same kind that takes precedence.
        case repeated
        /// The set contains a fact of another kind with the same key, which takes precedence.
        case superseded
    }

    @discardableResult package mutating func add(_ fact: OrderFact) -> Addition {
        guard let stored = byKey[fact.key] else {
            byKey[fact.key] = fact
            return .changed
        }
        if stored.report.kind == fact.report.kind, stored.time == fact.time { return .repeated }
        guard fact.saysMore(than: stored) else {
            return stored.report.kind == fact.report.kind ? .repeated : .superseded
        }
        var winner = fact
        // If a message is repeated after the catalog has changed, the consequences stay as they were stored.
        if stored.report.kind == fact.report.kind { winner.terms = stored.terms }
        byKey[fact.key] = winner
        return .changed
    }

    /// Whether a fact contradicts the stored fact with the same key and time, such as "cancelled" and "not cancelled".
    ///
    /// If so, the current state is requested from the provider's API. Without an API key, a fixed ranking of the states
    /// decides, never the order of arrival.
    package func contradicts(_ fact: OrderFact) -> Bool {
        guard fact.report.kind.isState, let stored = byKey[fact.key] else { return false }
        return stored.time == fact.time && stored.report.kind != fact.report.kind
    }
}

extension OrderFact {
    /// Whether this fact replaces a stored one with the same key. Of two facts, at most one replaces the other.
    func saysMore(than stored: OrderFact) -> Bool {
        let (mine, other) = (report.kind.rank, stored.report.kind.rank)
        switch report.kind {
        // The earliest report stays, because a second report of the same event says nothing new.
        case .sold, .trialBegun, .periodPaid, .ended, .paymentNamed:
            return (time, report.message) < (stored.time, stored.report.message)
        // A decision replaces an open dispute even if the decision's message has an earlier time.
        case .disputed, .disputeWon, .disputeLost, .inquiry:
            let decided = (mine >= Self.decided ? 1 : 0, stored.report.kind.rank >= Self.decided ? 1 : 0)
            if decided.0 == 1, decided.1 == 1 {
                return (time, mine, report.message) > (stored.time, other, stored.report.message)
            }
            return (mine, time, report.message) > (other, stored.time, stored.report.message)
        default: return (time, mine, report.message) > (stored.time, other, stored.report.message)
        }
    }

    /// The lowest rank of a dispute that has been decided.
    private static let decided = 2
}

extension ReportedFact.Kind {
    /// Whether the fact reports a state that a later fact replaces.
    package var isState: Bool {
        switch self {
        case .pastDue, .recovered, .willEnd, .willNotEnd, .planChanged: true
        default: false
        }
    }

    /// The rank that decides between facts with the same key and time: the higher one replaces the other.
    fileprivate var rank: Int {
        switch self {
        case .willEnd, .pastDue, .disputed: 1
        case .disputeWon: 2
        case .disputeLost: 3
        default: 0
        }
    }
}
