import TenureCore
import TenureSelling
import Testing

/// Tests the same facts in every sequence of arrival.
@Suite struct OrderOfFactsTests {
    private static func day(_ day: Int) -> Timestamp { OrderShop.start.adding(days: day) }

    /// Small sets of facts: a name, the facts with their days, and the source's refund rule.
    static let sets: [(name: String, facts: [(ReportedFact.Kind, Int)], refund: StopEffect)] = [
        (
            "a disputed purchase",
            [
                (.purchase(), 0), (.refund(sum: 400, whole: false), 1), (.refund(), 2), (.failedRefund("pi_1", 600), 3),
                (.disputed(.first), 4), (.disputeWon(.first), 5),
            ], .suspend
        ),
        (
            "a lost dispute",
            [
                (.purchase(), 0), (.inquiry(.first), 1), (.disputed(.first), 2), (.disputeLost(.first), 3),
                (.addressChanged(email: "ada@new.example"), 3),
            ], .suspend
        ),
        (
            "a subscription that ends",
            [
                (.subscribed(), 0), (.period(until: 60), 30), (.refund("pi_60"), 31), (.disputed(.first), 32),
                (.disputeWon(.first), 33), (.willEnd, 34), (.ended(at: day(60)), 60),
            ], .suspend
        ),
        (
            "a refund that the next period outlives",
            [
                (.subscribed(), 0), (.refund("pi_1"), 10), (.pastDue, 30), (.period(until: 60), 31), (.recovered, 31),
                (.period(until: 90), 60),
            ], .suspend
        ),
        (
            "states of the same time",
            [
                (.subscribed(), 0), (.recovered, 0), (.willNotEnd, 0), (.pastDue, 0), (.willEnd, 0), (.paused, 0),
            ], .suspend
        ),
        (
            "a changed plan",
            [
                (.subscribed(), 0), (.planChanged(team(until: 30)), 5), (proration, 5),
                (.planChanged(year(until: 15)), 8),
                (.period(until: 60), 30), (.refund("pi_60", sum: 10, whole: false), 40),
            ], .suspend
        ),
        (
            "a pause",
            [
                (.subscribed(), 0), (.paused, 10), (.resumed(until: day(40)), 20), (.period(until: 70), 40),
                (.paused, 80), (.ended(at: day(85)), 85),
            ], .suspend
        ),
        (
            "a revoking refund",
            [(.subscribed(), 0), (.refund("pi_1"), 10), (.willEnd, 11), (.ended(at: day(12)), 12)], .revoke
        ),
    ]

    private static func team(until end: Int) -> SubscriptionPlan {
        SubscriptionPlan(items: [SoldItem("price_team", quantity: 2)], periodEnd: day(end), bill: .of("in_up"))
    }

    private static func year(until end: Int) -> SubscriptionPlan {
        SubscriptionPlan(items: [SoldItem("price_year")], periodEnd: day(end), bill: .of("in_pi_1"))
    }

    private static var proration: ReportedFact.Kind {
        .periodPaid(
            Sale(
                .subscription, items: [], buyer: Buyer(email: nil),
                bill: Bill(.of("in_up"), payment: .of("pi_up"), gross: Money(50, "eur"))))
    }

    @Test(arguments: sets.indices) func `an order and its licenses don't depend on the sequence of the received facts`(
        _ index: Int
    ) {
        let set = Self.sets[index]
        let reports = set.facts.enumerated().map { number, fact in
            ReportedFact(fact.0, day: fact.1, message: "evt\(number)")
        }
        let expected = Outcome(reports, refund: set.refund)
        var shop = OrderShop()
        shop.rules.refund = set.refund
        let different = firstDifference(from: expected, after: [], of: reports, shop)
        #expect(different == nil, "\(set.name)")
    }

    @Test(arguments: sets.indices) func `repeated facts in random sequences change neither the order nor its licenses`(
        _ index: Int
    ) {
        let set = Self.sets[index]
        let reports = set.facts.enumerated().map { number, fact in
            ReportedFact(fact.0, day: fact.1, message: "evt\(number)")
        }
        let expected = Outcome(reports, refund: set.refund)
        var generator = SeededGenerator(state: UInt64(index))
        for _ in 0..<60 {
            let more = (0..<5).map { _ in reports[Int.random(in: reports.indices, using: &generator)] }
            let outcome = Outcome((reports + more).shuffled(using: &generator), refund: set.refund)
            guard outcome == expected else {
                Issue.record("\(set.name)")
                return
            }
        }
    }

    @Test func `several facts in one message have the same result as in separate messages`() {
        let facts: [ReportedFact] = [
            ReportedFact(.subscribed()), ReportedFact(.recovered, day: 1), ReportedFact(.period(until: 60), day: 30),
        ]
        var (single, together) = (OrderShop(), OrderShop())
        for fact in facts { single.receive(fact) }
        together.receive(facts[0], facts[1], facts[2])
        #expect(single.order == together.order && single.licenses == together.licenses)
    }

    /// The order and its active licenses after all messages. Suspended licenses are left out, because a license may not
    /// have been issued if its refund arrived first.
    private struct Outcome: Equatable {
        let order: Order?
        let usable: [LicenseSlot: PresentLicense]

        init(_ reports: [ReportedFact], refund: StopEffect) {
            var shop = OrderShop()
            shop.rules.refund = refund
            for report in reports { shop.receive(report) }
            self.init(shop)
        }

        init(_ shop: OrderShop) {
            order = shop.order
            var usable: [LicenseSlot: PresentLicense] = [:]
            for license in shop.licenses where license.state == .active {
                if let slot = license.slot { usable[slot] = license }
            }
            self.usable = usable
        }
    }

    /// Returns the first permutation with another outcome. Permutations with the same beginning share its decisions.
    private func firstDifference(
        from expected: Outcome, after done: [Int], of reports: [ReportedFact], _ shop: OrderShop
    ) -> [Int]? {
        if done.count == reports.count { return Outcome(shop) == expected ? nil : done }
        for index in reports.indices where !done.contains(index) {
            var next = shop
            next.receive(reports[index])
            if let found = firstDifference(from: expected, after: done + [index], of: reports, next) { return found }
        }
        return nil
    }
}
