package import TenureCore

/// Why a message changes nothing and isn't retried.
package enum IgnoredReason: String, Sendable, Hashable, CaseIterable {
    /// The source doesn't use messages of this type.
    case typeUnused = "type_unused"
    /// The message is about test payments and the source takes real ones, or the other way around.
    case wrongWorld = "wrong_world"
    /// The order already has a later fact with the same key.
    case superseded
    /// The source ignores all items of the order.
    case itemIgnored = "item_ignored"
}

/// Why a message waits until an operator or another message provides the missing data.
package enum ParkedReason: String, Error, Sendable, Hashable, CaseIterable {
    /// The catalog has no rule for an item.
    case itemUnmapped = "item_unmapped"
    /// Facts are missing from the message, earlier messages and the provider's API, such as the buyer's address.
    case factsMissing = "facts_missing"
    /// The message renews an order whose sale hasn't been received.
    case orderUnknown = "order_unknown"
    /// The message is signed, but can't be parsed.
    case bodyUnreadable = "body_unreadable"
    /// The provider's API doesn't respond, or rejects the request.
    case providerFailed = "provider_failed"
    /// The amounts of one payment have different currencies.
    case amountsDiffer = "amounts_differ"
    /// The test source has reached its limit of live licenses.
    case testLimit = "test_limit"
    /// The tenant has no key root, from which license keys are derived.
    case keyNotDerivable = "key_not_derivable"
    /// The order would have more than 1,000 licenses.
    case orderTooLarge = "order_too_large"
}

/// The decision on the facts of a message.
package enum OrderDecision: Sendable, Hashable {
    /// Save the order's facts and carry out the changes, in one transaction.
    case changed(OrderChanges)
    /// Save the facts. The order's sale is missing, and will take them into account when it arrives.
    case waiting(OrderFacts)
    /// The order already has the facts.
    case repeated
    /// Change nothing, now or later, for this reason.
    case ignored(IgnoredReason)
    /// For this reason, save the facts, and decide again later. Without facts, save nothing, not even ids of the order.
    case parked(ParkedReason, OrderFacts?)
}

package struct OrderChanges: Sendable, Hashable {
    /// The order's state before; `nil` if there was no sale yet.
    package var previous: Order?
    /// The order with the new facts.
    package var order: Order
    /// All facts of the order, including the new ones.
    package var facts: OrderFacts
    /// The changes to licenses, in the order in which they are made.
    package var licenses: [LicenseChange]
    /// The events to record about the order.
    package var events: [OrderEvent]
    /// The problems that an operator should look at.
    package var attention: [OrderAttention]
}

/// An event about an order; it contains no address.
package enum OrderEvent: String, Sendable, Hashable, CaseIterable {
    /// The order, or a further period of it, was paid.
    case paid
    /// The order's items, state or paid period changed in another way.
    case changed
    case ended
    /// A payment was refunded in full or in part.
    case refunded
    /// A payment was disputed, or a dispute was decided.
    case disputed
}

/// A problem that an operator should look at, because no rule decides it.
package enum OrderAttention: Sendable, Hashable {
    /// A part of a payment was refunded; the licenses stay as they are.
    case partlyRefunded(payment: ProviderID)
    /// Two messages with the same time contradict each other, and a fixed ranking of the states decided.
    case contradiction
    /// A refund's currency differs from that of its payment, so the amounts can't be compared.
    case amountsDiffer(payment: ProviderID)
}

extension Order {
    /// Decides on the facts of a message.
    ///
    /// - Parameters:
    ///   - reports: The facts that the message reports, in any order.
    ///   - facts: The order's facts so far; an empty set for a new order.
    ///   - waiting: Facts that arrived before their order was known, stored under ids that this message links to the
    ///     order. They aren't part of `facts`, because the order hasn't acted on them yet.
    ///   - licenses: The order's current licenses: those stored in one of its slots, and those whose `order` is its
    ///     reference.
    ///   - renewed: The license that ``ReportedFact/renewedLicense`` names; `nil` if the tenant has no such license.
    ///   - rules: The source's current rules in the catalog.
    ///   - liveTestLicenses: How many of the source's licenses haven't ended; used only for test sources.
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
                    // The order has acted on its sale. A repeated report of the sale must not renew another license.
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
        // Without an address, no license has been issued or adopted.
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

    /// Whether a license must be issued, but the buyer's address is missing.
    func needsAddress(besides licenses: [PresentLicense]) -> Bool {
        holderEmail == nil && targets.count > licenses.count
    }

    /// Decides for an order without a sale. A renewal extends the licenses that name the order. If no license names the
    /// order, the renewal waits for an operator. All other facts wait for the sale.
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
