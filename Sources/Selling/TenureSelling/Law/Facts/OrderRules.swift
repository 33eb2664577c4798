package import TenureCore

/// The rules of a source in the catalog for its orders.
package struct OrderRules: Sendable, Hashable {
    /// The rules for the provider's items; an item with several rules is a bundle.
    package var items: [ItemRule]
    /// How to treat an order with an item that has no rule.
    package var unmapped: Unmapped
    /// The effect of a refund of a whole payment, or of single items at their full price.
    package var refund: StopEffect
    /// The effect of a dispute: `suspend` or `keep`.
    package var dispute: StopEffect
    /// How many hours a license runs longer than the paid period, 0 to 336.
    package var slackHours: Int
    /// When an ended subscription ends its licenses.
    package var cancelled: CancelledEnd
    /// Whether the source takes real or test payments.
    package var world: World

    /// The value of ``slackHours`` if the catalog doesn't set it.
    package static let defaultSlackHours = 72

    package init(
        items: [ItemRule], unmapped: Unmapped = .park, refund: StopEffect = .suspend, dispute: StopEffect = .suspend,
        slackHours: Int = OrderRules.defaultSlackHours, cancelled: CancelledEnd = .periodEnd, world: World = .live
    ) {
        self.items = items
        self.unmapped = unmapped
        self.refund = refund
        self.dispute = dispute
        self.slackHours = slackHours
        self.cancelled = cancelled
        self.world = world
    }

    /// How to treat an order with an item that has no rule.
    package enum Unmapped: String, Sendable, Hashable, CaseIterable {
        /// Park the message until the catalog has a rule for the item.
        case park
        /// Ignore the item.
        case ignore
    }

    /// When an ended subscription ends its licenses.
    package enum CancelledEnd: String, Sendable, Hashable, CaseIterable {
        /// At the end of the period that was paid for.
        case periodEnd = "period_end"
        /// At once, when the subscription ends.
        case atOnce = "at_once"
    }

    /// Whether a source takes real or test payments.
    package enum World: String, Sendable, Hashable, CaseIterable {
        /// Real money.
        case live
        /// The provider's test mode.
        case test

        /// Whether the source accepts a message about a real (`true`) or test (`false`) payment.
        ///
        /// A message of unknown kind (`nil`) is accepted: Paddle's messages don't contain the kind, because test
        /// payments have a separate account.
        package func takes(isLive: Bool?) -> Bool { isLive.map { $0 == (self == .live) } ?? true }
    }
}

/// The rule for an item of the provider.
package struct ItemRule: Sendable, Hashable {
    /// The provider's id of a price or, with ``anyPrice``, of a product.
    package var item: String
    /// Whether ``item`` names a product with all its prices.
    package var anyPrice: Bool
    /// The licenses that the item sells; `nil` if the item is ignored.
    package var goods: Goods?

    package init(_ item: String, anyPrice: Bool = false, goods: Goods?) {
        self.item = item
        self.anyPrice = anyPrice
        self.goods = goods
    }

    /// The licenses that an item sells.
    package struct Goods: Sendable, Hashable {
        package var product: ProductID
        package var policy: PolicyID
        /// How the quantity is used: as a number of licenses or of devices, or not at all.
        package var quantity: Quantity

        package init(_ product: ProductID, _ policy: PolicyID, quantity: Quantity = .licenses) {
            self.product = product
            self.policy = policy
            self.quantity = quantity
        }
    }

    /// The meaning of an item's quantity.
    package enum Quantity: String, Sendable, Hashable, CaseIterable {
        /// The number of licenses.
        case licenses
        /// The number of devices of a single license.
        case devices
        /// The quantity is ignored: the item is one license.
        case ignore
    }
}

extension OrderRules {
    /// The maximum number of licenses of an order.
    package static let mostLicenses = 1_000

    /// The result of applying the rules to a reported fact.
    package enum Applied: Sendable, Hashable {
        /// A fact to add to the order.
        case fact(OrderFact)
        /// The source ignores the fact, for this reason.
        case ignored(IgnoredReason)
        /// The fact can't be used until the catalog changes, for this reason.
        case parked(ParkedReason)
    }

    /// Applies the rules to a reported fact, which gives the fact its consequences.
    ///
    /// - Parameter order: The order's facts so far. If a plan contains items that the order had before, the rules that
    ///   were stored with the order apply. So an order continues after its item was removed from the catalog.
    package func apply(to report: ReportedFact, of order: OrderFacts) -> Applied {
        var terms = OrderFact.Terms()
        terms.isTest = world == .test
        switch report.kind {
        case .sold(let sale), .trialBegun(let sale):
            terms.slackSeconds = slackSeconds
            switch lines(of: sale.items, known: []) {
            case .success(let lines) where lines.isEmpty: return .ignored(.itemIgnored)
            case .success(let lines): terms.lines = lines
            case .failure(let reason): return .parked(reason)
            }
        case .planChanged(let plan):
            terms.slackSeconds = slackSeconds
            switch lines(of: plan.items, known: order.byKey.values.flatMap(\.terms.lines)) {
            case .success(let lines): terms.lines = lines
            case .failure(let reason): return .parked(reason)
            }
        case .periodPaid, .resumed: terms.slackSeconds = slackSeconds
        case .ended: terms.endsAtOnce = cancelled == .atOnce
        case .refunded: terms.effect = refund
        case .disputed, .disputeWon, .disputeLost, .inquiry: terms.effect = dispute
        case .paymentNamed, .buyerNamed, .pastDue, .recovered, .willEnd, .willNotEnd, .paused, .refundFailed,
            .addressChanged:
            break
        }
        return .fact(OrderFact(report, terms: terms))
    }

    private var slackSeconds: Int64 { Int64(min(max(slackHours, 0), 336)) * 3_600 }

    /// Returns the lines for items, sorted, so that they don't depend on the order in the message. Quantities of the
    /// same item are added.
    private func lines(of items: [SoldItem], known: [OrderLine]) -> Result<[OrderLine], ParkedReason> {
        // An order with so many lines would be refused anyway, and sorting the lines would take long.
        if items.count > Self.mostLicenses { return .failure(.orderTooLarge) }
        var quantities: [String: (product: String?, quantity: Int)] = [:]
        for item in items {
            let earlier = quantities[item.item]
            let sum = (earlier?.quantity ?? 0).addingReportingOverflow(max(item.quantity, 0))
            quantities[item.item] = (item.product ?? earlier?.product, sum.overflow ? .max : sum.partialValue)
        }
        var lines: [OrderLine] = []
        for (item, bought) in quantities.sorted(by: { $0.key < $1.key }) where bought.quantity > 0 {
            guard let goods = goods(of: item, product: bought.product, known: known) else {
                return .failure(.itemUnmapped)
            }
            for goods in goods { lines.append(OrderLine(item, bought.quantity, goods)) }
        }
        var count = 0
        for line in lines {
            count = line.licenses > Self.mostLicenses ? .max : count + line.licenses
            if count > Self.mostLicenses { return .failure(.orderTooLarge) }
        }
        return .success(lines)
    }

    /// The items of a sale, a paid period or a plan that have no rule, sorted.
    package func unmappedItems(of report: ReportedFact) -> [String] {
        guard let items = report.kind.items else { return [] }
        return Set(items.filter { goods(of: $0.item, product: $0.product, known: []) == nil }.map(\.item)).sorted()
    }

    /// The licenses that an item sells, sorted; `nil` if the item has no rule and the order must wait for one.
    ///
    /// A rule for the price takes precedence over one for the product.
    private func goods(of item: String, product: String?, known: [OrderLine]) -> [ItemRule.Goods]? {
        var goods = Set(known.filter { $0.item == item }.map(\.goods)).map(\.self)
        if goods.isEmpty {
            let exact = items.filter { !$0.anyPrice && $0.item == item }
            let rules = exact.isEmpty ? items.filter { $0.anyPrice && $0.item == product } : exact
            if rules.isEmpty, unmapped == .park { return nil }
            goods = rules.compactMap(\.goods)
        }
        return goods.sorted { ($0.product, $0.policy) < ($1.product, $1.policy) }
    }
}

extension OrderLine {
    fileprivate init(_ item: String, _ quantity: Int, _ goods: ItemRule.Goods) {
        self.init(
            item: item, quantity: quantity, product: goods.product, policy: goods.policy, meaning: goods.quantity)
    }

    fileprivate var goods: ItemRule.Goods {
        ItemRule.Goods(product, policy, quantity: meaning)
    }
}
