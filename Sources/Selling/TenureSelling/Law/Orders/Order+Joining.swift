import TenureCore

/// Why a license can't be joined to an order whose sale isn't known.
package enum JoinObstacle: Sendable, Hashable, CaseIterable {
    /// The order's sale is known, so the order has its licenses.
    case orderKnown
    /// The license belongs to another order, or names one.
    case licenseOfOrder
    /// The license is revoked or was returned.
    case licenseFinal
    /// The order, or the source, doesn't sell the license's product under its policy.
    case licenseNotSold
    /// Test cards are public, so a test payment mustn't extend a license.
    case sourceOfTests
}

extension Order {
    /// Returns why a license can't become one of an order; `nil` if it can.
    ///
    /// - Parameters:
    ///   - license: The license; its slot is that in whatever order it belongs to.
    ///   - named: The order that the license names; `nil` if it names none.
    ///   - facts: What is known about the order.
    ///   - rules: What the source's part of the catalog says now.
    package static func obstacle(
        joining license: PresentLicense, naming named: String?, to facts: OrderFacts, rules: OrderRules
    ) -> JoinObstacle? {
        if rules.world == .test { return .sourceOfTests }
        let order = Order(facts)
        // A sale without an address has issued nothing, so its license may have been issued by hand.
        if order?.holderEmail != nil { return .orderKnown }
        if license.slot != nil || named.map({ $0 != facts.reference.text }) ?? false { return .licenseOfOrder }
        if license.state.isFinal { return .licenseFinal }
        var goods = Set(rules.items.compactMap(\.goods).map { [$0.product.text, $0.policy.text] })
        if let order {
            goods = Set(order.lines.map { [$0.product.text, $0.policy.text] })
        } else if case .fact(let sale)? = facts.assumedSale(under: rules) {
            goods = Set(sale.terms.lines.map { [$0.product.text, $0.policy.text] })
        }
        return goods.contains([license.product.text, license.policy.text]) ? nil : .licenseNotSold
    }

    /// Adopts licenses that name an order whose sale isn't known: its oldest paid period becomes the sale.
    ///
    /// Returns `nil` if not every license of the order exists, because a renewal of an unknown order never issues one.
    static func adopting(
        _ licenses: [PresentLicense], by facts: OrderFacts, rules: OrderRules, now: Timestamp
    ) -> OrderChanges? {
        guard licenses.contains(where: { $0.slot == nil }), case .fact(let sale)? = facts.assumedSale(under: rules)
        else { return nil }
        var next = facts
        next.add(sale)
        guard let order = Order(next) else { return nil }
        let changes = order.changes(since: nil, licenses: licenses, now: now)
        guard changes.count(where: \.adopts) == order.targets.count else { return nil }
        return OrderChanges(
            previous: nil, order: order, facts: next, licenses: changes, events: order.events(since: nil),
            attention: order.attention(since: nil))
    }
}

extension OrderFacts {
    /// The oldest paid period as the order's sale; `nil` if no period was paid.
    fileprivate func assumedSale(under rules: OrderRules) -> OrderRules.Applied? {
        for fact in sorted {
            guard case .periodPaid(let sale) = fact.report.kind, sale.bill.periodEnd != nil else { continue }
            let report = ReportedFact(message: fact.report.message, time: fact.time, .sold(sale))
            return rules.apply(to: report, of: self)
        }
        return nil
    }
}

extension LicenseChange {
    fileprivate var adopts: Bool { if case .adopt = self { true } else { false } }
}
