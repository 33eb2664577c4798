import TenureCore
import TenureSelling
import Testing

/// A provider's messages in random sequences. The ids of the provider's objects connect the messages to one order.
@Suite struct MessageOrderTests {
    @Test func `Stripe's messages about a subscription have the same result in 150 random sequences`() throws {
        let reports = try [
            "session-subscription", "invoice-first", "invoice-payment", "subscription-team", "invoice-prorated",
            "refund-whole", "dispute-open",
        ].map { try #require(ProviderFixtures.stripe($0).report) }
        try expectOneEnd(of: reports, state: .disputed, stopped: true)
    }

    @Test func `Stripe's messages until a subscription's end have the same result in 150 random sequences`() throws {
        let reports = try [
            "invoice-first", "subscription-active", "invoice-failed", "invoice-next", "subscription-cancels",
            "subscription-deleted", "invoice-payment",
        ].map { try #require(ProviderFixtures.stripe($0).report) }
        try expectOneEnd(of: reports, state: .ended, stopped: false)
    }

    @Test func `Paddle's messages about a subscription have the same result in 150 random sequences`() throws {
        let buyer = Supplement(buyer: Buyer(email: "ada@example.com"))
        let reports = try [
            "subscription-sale-unnamed", "subscription-created", "renewal", "subscription-past-due", "refund-approved",
            "chargeback-reversed", "subscription-cancels",
        ].map { name in
            try #require(
                PaddleMessage(parsing: ProviderFixtures.body("paddle", name)).content(with: buyer).report)
        }
        try expectOneEnd(of: reports, state: .pastDue, stopped: false)
    }

    /// Receives the reports in many sequences, each with one repetition.
    private func expectOneEnd(of reports: [OrderReport], state: Order.State, stopped: Bool) throws {
        var generator = SeededGenerator(state: UInt64(reports.count))
        var expected: Order?
        for _ in 0..<150 {
            let again = reports.randomElement(using: &generator)
            var intake = Intake()
            for report in (reports + [again].compactMap(\.self)).shuffled(using: &generator) { intake.receive(report) }
            let shop = try #require(intake.shops.count == 1 ? intake.shops.first : nil)
            let order = try #require(shop.order)
            #expect(order == expected ?? order && order.state == state)
            #expect((shop.license?.state ?? .suspended) == (stopped ? .suspended : .active))
            expected = order
        }
    }

    /// Finds a report's order by its names, and merges the groups of facts that the report connects.
    private struct Intake {
        private struct Group {
            var shop: OrderShop
            var names: Set<ProviderID>
            var reference: ProviderID?
        }

        private var groups: [Group] = []
        var shops: [OrderShop] { groups.map(\.shop) }

        mutating func receive(_ report: OrderReport) {
            let names = Set(report.names)
            let joined = groups.filter { !$0.names.isDisjoint(with: names) }
            groups.removeAll { !$0.names.isDisjoint(with: names) }
            let reference = report.reference ?? joined.lazy.compactMap(\.reference).first
            // Only facts with a reference can have licenses; the others are still waiting.
            let known = joined.first { $0.reference != nil }
            var shop = known?.shop ?? OrderShop(reference?.text ?? "unknown")
            for price in ["price_month", "pri_month"] where known == nil {
                shop.rules.items.append(ItemRule(price, goods: .init(OrderShop.product, OrderShop.yearly)))
            }
            let waiting = joined.filter { $0.reference == nil }.map(\.shop.facts)
            shop.receive(report.facts, joining: waiting)
            groups.append(
                Group(shop: shop, names: joined.reduce(names) { $0.union($1.names) }, reference: reference))
        }
    }
}
