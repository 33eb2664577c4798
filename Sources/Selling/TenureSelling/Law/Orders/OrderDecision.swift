package import TenureCore

/// Why a message changes nothing and never will.
package enum IgnoredReason: String, Sendable, Hashable, CaseIterable {
    /// The source doesn't use messages of this type.
    case typeUnused = "type_unused"
    /// The message is about test payments and the source takes real ones, or the other way around.
    case wrongWorld = "wrong_world"
    /// A later message about the same thing has been applied.
    case superseded
    /// The source ignores all items of the order.
    case itemIgnored = "item_ignored"
}

/// Why a message waits for something that an operator or another message has to bring.
package enum ParkedReason: String, Error, Sendable, Hashable, CaseIterable {
    /// The catalog has no rule for an item.
    case itemUnmapped = "item_unmapped"
    /// The message, earlier messages and the provider's API don't say what is needed, such as the buyer's address.
    case factsMissing = "facts_missing"
    /// The order of a renewal isn't known.
    case orderUnknown = "order_unknown"
    /// The body is signed, but can't be read.
    case bodyUnreadable = "body_unreadable"
    /// The provider's API doesn't answer, or refuses.
    case providerFailed = "provider_failed"
    /// Amounts of one payment are in two currencies.
    case amountsDiffer = "amounts_differ"
    /// The test source has as many live licenses as it may have.
    case testLimit = "test_limit"
    /// The tenant's root isn't known, so the keys of the licenses can't be derived.
    case keyNotDerivable = "key_not_derivable"
    /// The order would have more than 1,000 licenses.
    case orderTooLarge = "order_too_large"
}

/// What to do with the facts of a message.
package enum OrderDecision: Sendable, Hashable {
    /// Save the order's facts and carry out the changes, in one transaction.
    case changed(OrderChanges)
    /// Save the facts; the order's sale isn't known yet, and will take them into account.
    case waiting(OrderFacts)
    /// The order has the facts already.
    case repeated
    /// Change nothing, now and later.
    case ignored(IgnoredReason)
    /// Save the facts, and decide again later; without facts, save nothing and join no names.
    case parked(ParkedReason, OrderFacts?)
}

/// The changes of an order.
package struct OrderChanges: Sendable, Hashable {
    /// The order before; `nil` if it wasn't sold.
    package var previous: Order?
    /// The order with the new facts.
    package var order: Order
    /// The facts to save.
    package var facts: OrderFacts
    /// What happens to the licenses, in this order.
    package var licenses: [LicenseChange]
    /// The events to record about the order.
    package var events: [OrderEvent]
    /// What an operator should look at.
    package var attention: [OrderAttention]
}

/// An event about an order; it carries no address.
package enum OrderEvent: String, Sendable, Hashable, CaseIterable {
    /// The order, or a further period of it, was paid.
    case paid
    /// The order's items, state or paid period changed in another way.
    case changed
    /// The order ended.
    case ended
    /// Money was paid back.
    case refunded
    /// A payment was disputed, or a dispute was decided.
    case disputed
}

/// What an operator should look at, because the law leaves it to a person.
package enum OrderAttention: Sendable, Hashable {
    /// A part of a payment was refunded: the licenses stay as they are.
    case partlyRefunded(payment: ProviderID)
    /// Two messages of the same second contradict each other, and the order of states has decided.
    case contradiction
    /// A refund has another currency than its payment, so the amounts can't be compared.
    case amountsDiffer(payment: ProviderID)
}

extension Order {
    /// Decides on the facts of a message.
    ///
    /// - Parameters:
    ///   - reports: What the message reports, in any order.
    ///   - facts: The order's facts so far; an empty set if the order isn't known.
    ///   - waiting: The sets of facts that waited for their order under names that the message joins to it. They aren't part
    ///     of `facts`, because the order hasn't acted on them yet.
    ///   - licenses: The licenses of the order as they are now: those whose slot is stored, and those whose `order` is the
    ///     reference.
    ///   - renewed: The tenant's license that the message's ``ReportedFact/renewedLicense`` names; `nil` if there is none.
    ///   - rules: What the source's part of the catalog says now.
    ///   - liveTestLicenses: The number of the source's licenses that haven't ended; needed for test sources.
    package static func decide(
        _ reports: [ReportedFact], on facts: OrderFacts, joining waiting: [OrderFacts] = [],
        licenses: [PresentLicense], renewing renewed: PresentLicense? = nil, rules: OrderRules,
        liveTestLicenses: Int = 0, now: Timestamp
    ) -> OrderDecision {
        var (next, additions, attention) = (facts, Set<OrderFacts.Addition>(), [OrderAttention]())
        for fact in waiting.flatMap(\.sorted) { additions.insert(next.add(fact)) }
        for report in reports {
            switch rules.apply(to: report, of: next) {
            case .fact(var fact):
                if let sale = next.byKey[fact.key] {
                    // The order has acted on its sale, so another report of it renews the same license, or none.
                    fact.terms.renews = sale.terms.renews
                } else if let renewed, fact.renews(renewed) {
                    fact.terms.renews = renewed.id
                }
                if next.contradicts(fact), !attention.contains(.contradiction) { attention.append(.contradiction) }
                additions.insert(next.add(fact))
            case .ignored(let reason): return .ignored(reason)
            case .parked(let reason): return .parked(reason, nil)
            }
        }
        guard let order = Order(next) else {
            return unsold(next, after: reports, licenses: licenses, rules: rules, now: now)
        }
        if order.needsAddress(besides: licenses) { return .parked(.factsMissing, next) }
        // Without an address, nothing has been issued or adopted.
        let previous = Order(facts).flatMap { order in
            order.holderEmail != nil || licenses.contains { $0.slot != nil } ? order : nil
        }
        if let previous, !additions.contains(.changed) {
            if !attention.isEmpty {
                return .changed(
                    OrderChanges(
                        previous: previous, order: previous, facts: facts, licenses: [], events: [],
                        attention: attention))
            }
            return additions.contains(.superseded) ? .ignored(.superseded) : .repeated
        }
        let changes = order.changes(since: previous, licenses: licenses, now: now)
        if order.isTest, changes.count(where: \.issues) + liveTestLicenses > Order.mostTestLicenses,
            changes.contains(where: \.issues)
        {
            return .parked(.testLimit, nil)
        }
        return .changed(
            OrderChanges(
                previous: previous, order: order, facts: next, licenses: changes,
                events: order.events(since: previous), attention: attention + order.attention(since: previous)))
    }

    /// Whether a license has to be issued, which takes the buyer's address, but the address isn't known.
    func needsAddress(besides licenses: [PresentLicense]) -> Bool {
        holderEmail == nil && targets.count > licenses.count
    }

    /// A renewal of an order that isn't known extends the licenses that name the order. Without any, it waits for an
    /// operator. Everything else waits for the sale.
    private static func unsold(
        _ facts: OrderFacts, after reports: [ReportedFact], licenses: [PresentLicense], rules: OrderRules,
        now: Timestamp
    ) -> OrderDecision {
        let isRenewal = reports.contains { if case .periodPaid = $0.kind { true } else { false } }
        guard isRenewal else { return .waiting(facts) }
        let adopted = adopting(licenses, by: facts, rules: rules, now: now)
        return adopted.map { .changed($0) } ?? .parked(.orderUnknown, facts)
    }
}
