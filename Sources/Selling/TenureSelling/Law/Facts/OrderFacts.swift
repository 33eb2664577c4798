import TenureCore

/// All facts of one order: the only thing about it that is stored.
///
/// An order is computed from the set, so the order of arrival doesn't matter. A fact that reports about the same thing
/// as an earlier one replaces it if it says more.
package struct OrderFacts: Sendable, Hashable {
    /// The source whose messages reported the facts.
    package let source: SourceID

    /// The provider's id of the order.
    package let reference: ProviderID

    /// The facts by their natural key.
    package private(set) var byKey: [String: OrderFact]

    /// Creates the set from stored facts; of several with one key, the one that says most counts.
    package init(source: SourceID, reference: ProviderID, _ facts: some Sequence<OrderFact> = [OrderFact]()) {
        self.source = source
        self.reference = reference
        byKey = [:]
        for fact in facts { add(fact) }
    }

    /// The facts in the order of their time and key.
    package var sorted: [OrderFact] {
        byKey.sorted { ($0.value.time, $0.key) < ($1.value.time, $1.key) }.map(\.value)
    }

    /// What adding a fact did.
    package enum Addition: Sendable, Hashable {
        /// The set has another content now.
        case changed
        /// The set had the fact already.
        case repeated
        /// The set has a later fact about the same thing.
        case superseded
    }

    /// Adds a fact.
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
        // A repeated message doesn't bring the consequences of a later catalog.
        if stored.report.kind == fact.report.kind { winner.terms = stored.terms }
        byKey[fact.key] = winner
        return .changed
    }

    /// Whether a stored fact of the same time contradicts this one, so that the provider's present object decides.
    ///
    /// Without that object, the order of states decides, never the order of arrival.
    package func contradicts(_ fact: OrderFact) -> Bool {
        guard fact.report.kind.isState, let stored = byKey[fact.key] else { return false }
        return stored.time == fact.time && stored.report.kind != fact.report.kind
    }
}

extension OrderFact {
    /// Whether this fact replaces a stored one with the same key; never in both directions.
    func saysMore(than stored: OrderFact) -> Bool {
        let (mine, other) = (report.kind.rank, stored.report.kind.rank)
        switch report.kind {
        // The first report counts: a second sale of the same order is the same sale in other words.
        case .sold, .trialBegun, .periodPaid, .ended, .paymentNamed:
            return (time, report.message) < (stored.time, stored.report.message)
        // A decided dispute stays decided, whatever its time.
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

    /// Decides between facts of the same time: ended, cancelled, past due, paid.
    fileprivate var rank: Int {
        switch self {
        case .willEnd, .pastDue, .disputed: 1
        case .disputeWon: 2
        case .disputeLost: 3
        default: 0
        }
    }
}
