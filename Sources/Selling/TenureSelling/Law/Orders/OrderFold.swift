import TenureCore

/// Computes an order from its facts.
///
/// Where a later report replaces an earlier one, the facts contain only one per key. Where values only grow, such as
/// sums of refunds, the largest is used.
struct OrderFold {
    let sale: Sale
    let sold: OrderFact
    /// All facts of the order, sorted by time and key.
    let facts: [OrderFact]
    let payments: [Order.Payment]
    let plans: [EffectivePlan]
    let lines: [Line]

    init(sale: Sale, fact: OrderFact, facts: [OrderFact]) {
        self.sale = sale
        sold = fact
        self.facts = facts
        payments = Self.payments(sale, fact, facts)
        plans = Self.effectivePlans(sale, fact, facts, payments)
        lines = Self.lines(fact, plans)
    }

    /// The buyer of the sale, with address and name added from other messages. If the address was changed, the newest
    /// one is used.
    var buyer: Buyer {
        var buyer = sale.buyer
        for fact in facts {
            if case .buyerNamed(let other) = fact.report.kind {
                buyer.email = buyer.email ?? other.email
                buyer.name = buyer.name ?? other.name
                buyer.license = buyer.license ?? other.license
                buyer.customer = buyer.customer ?? other.customer
            }
        }
        for fact in facts where fact.time >= sold.time {
            if case .addressChanged(let email) = fact.report.kind { buyer.email = email }
        }
        return buyer
    }

    /// Whether a payment of the subscription failed, and no later payment succeeded.
    var isPastDue: Bool {
        guard let fact = facts.last(where: { $0.key == "status" }), fact.report.kind == .pastDue else { return false }
        return !facts.contains { $0.isPeriodPaid && $0.time > fact.time }
    }

    /// Whether the subscription ends with its period.
    var isCancelled: Bool { facts.contains { $0.report.kind == .willEnd } }

    /// When the subscription was paused; `nil` if it isn't paused.
    var pausedAt: Timestamp? {
        guard let paused = facts.last(where: { $0.report.kind == .paused }) else { return nil }
        let resumes = facts.contains { fact in
            guard fact.time > paused.time else { return false }
            if case .resumed = fact.report.kind { return true }
            return fact.report.kind == .recovered || fact.isPeriodPaid
        }
        return resumes ? nil : paused.time
    }

    /// When the subscription ended, and whether its licenses end at once; `nil` if it hasn't.
    var ended: (at: Timestamp, atOnce: Bool)? {
        for fact in facts {
            if case .ended(let time) = fact.report.kind { return (time, fact.terms.endsAtOnce) }
        }
        return nil
    }

    /// The disputes that are open or lost.
    var disputes: [(id: ProviderID, isLost: Bool, effect: StopEffect)] {
        facts.compactMap { fact in
            switch fact.report.kind {
            case .disputed(let dispute): (dispute.id, false, fact.terms.effect)
            case .disputeLost(let dispute): (dispute.id, true, fact.terms.effect)
            default: nil
            }
        }
    }

    /// The order's state. If the facts fit several states, the result is the one that is checked first.
    var state: Order.State {
        let disputes = disputes
        if disputes.contains(where: { !$0.isLost }) { return .disputed }
        let newest = newestPayment
        if disputes.contains(where: \.isLost) { return .refunded }
        if let newest, newest.isRefundedWhole || !newest.refundedItems.isEmpty { return .refunded }
        if ended != nil { return .ended }
        if pausedAt != nil { return .paused }
        if isCancelled { return .cancelled }
        if isPastDue { return .pastDue }
        return payments.contains { $0.isRefundedInPart } ? .partlyRefunded : .paid
    }
}

extension OrderFact {
    /// Whether the fact reports that a period of a subscription was paid.
    var isPeriodPaid: Bool {
        if case .periodPaid(let sale) = report.kind { sale.bill.periodEnd != nil } else { false }
    }
}
