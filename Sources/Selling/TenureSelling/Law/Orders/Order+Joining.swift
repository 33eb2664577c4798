import TenureCore

/// Why a license can't be joined to an order.
package enum JoinObstacle: Sendable, Hashable, CaseIterable {
    /// The order's sale has been received, so the order has licenses of its own.
    case orderKnown
    /// The license belongs to another order, or names one.
    case licenseOfOrder
    /// The license is revoked or was returned.
    case licenseFinal
    /// The order, or the source, doesn't sell the license's product under its policy.
    case licenseNotSold
    /// The source takes test payments. Test cards are public, so a test payment mustn't extend a license.
    case sourceOfTests
}

extension Order {
    /// Returns why a license can't be joined to an order; `nil` if it can.
    ///
    /// - Parameters:
    ///   - license: The license, with its position in the order that it belongs to, if any.
    ///   - named: The order that the license names; `nil` if it names none.
    ///   - facts: The order's facts so far.
    ///   - rules: The source's current rules in the catalog.
    package static func obstacle(
        joining license: PresentLicense, naming named: String?, to facts: OrderFacts, rules: OrderRules
    ) -> JoinObstacle? {
        if rules.world == .test { return .sourceOfTests }
        let order = Order(facts)
        // Without an address, the sale issued no license, so the operator may have issued one by hand.
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

    /// Adopts the licenses that name an order whose sale is missing. The order's oldest paid period becomes its sale.
    ///
    /// Returns `nil` unless all licenses of the order exist, because a renewal of an unknown order never issues a
    /// license.
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
    /// The order's oldest paid period, treated as its sale; `nil` if no period was paid.
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
