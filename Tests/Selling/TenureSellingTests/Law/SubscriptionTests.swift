import TenureCore
import TenureSelling
import Testing

/// Tests the periods, plans and ends of subscriptions. The first period has 30 days and is paid by `pi_1`.
@Suite struct SubscriptionTests {
    private let id = LicenseID(number: 0)!

    private func subscribed(_ item: String = "price_year", quantity: Int = 1) -> OrderShop {
        var shop = OrderShop()
        shop.receive(ReportedFact(.subscribed(item, quantity: quantity)))
        return shop
    }

    private func day(_ day: Int, hours: Int = 0) -> Timestamp {
        OrderShop.start.adding(days: day).adding(seconds: Int64(hours) * 3_600)
    }

    private func plan(_ item: String, quantity: Int = 1, until end: Int, bill: String? = nil) -> ReportedFact.Kind {
        .planChanged(
            SubscriptionPlan(
                items: [SoldItem(item, quantity: quantity)], periodEnd: day(end), bill: bill.map { .of($0) }))
    }

    @Test func `a subscription's license ends at the end of the paid period plus the slack`() {
        let shop = subscribed()
        #expect(shop.license?.end == day(30, hours: 72) && shop.order?.paidUntil == day(30))
    }

    @Test func `the license of a subscription's trial period ends at the period's end plus the slack`() {
        var shop = OrderShop()
        let bill = Bill(.of("in_0"), gross: Money(0, "eur"), periodEnd: day(14))
        let buyer = Buyer(email: "ada@example.com")
        shop.receive(
            ReportedFact(.trialBegun(Sale(.subscription, items: [SoldItem("price_year")], buyer: buyer, bill: bill))))
        #expect(shop.state == .paid && shop.order?.isTrial == true && shop.license?.end == day(14, hours: 72))
    }

    @Test func `a paid period extends the license`() {
        var shop = subscribed()
        shop.receive(ReportedFact(.period(until: 60), day: 30))
        #expect(shop.changes == [.extend(id, until: day(60, hours: 72))])
    }

    @Test func `an older period that is reported later doesn't change the license`() {
        var shop = subscribed()
        shop.receive(ReportedFact(.period(until: 90), day: 60))
        shop.receive(ReportedFact(.period(until: 60), day: 30))
        #expect(shop.changes == [] && shop.order?.paidUntil == day(90))
    }

    @Test func `a paid period of an unknown order is parked, and extends the license once the sale arrives`() {
        var shop = OrderShop()
        let decision = shop.receive(ReportedFact(.period(until: 60), day: 30))
        guard case .parked(.orderUnknown, .some) = decision else { return #expect(Bool(false)) }
        shop.receive(ReportedFact(.subscribed()))
        #expect(shop.license?.end == day(60, hours: 72))
    }

    @Test func `a paid period lifts the suspension for the refund of the previous period`() {
        var shop = subscribed()
        shop.receive(ReportedFact(.refund(), day: 10))
        #expect(shop.license?.state == .suspended)
        shop.receive(ReportedFact(.period(until: 60), day: 30))
        #expect(shop.changes.contains(.lift(id)) && shop.state == .partlyRefunded)
    }

    @Test func `the refund of an older period doesn't suspend the license`() {
        var shop = subscribed()
        shop.receive(ReportedFact(.period(until: 60), day: 30))
        shop.receive(ReportedFact(.refund("pi_1"), day: 31))
        #expect(shop.state == .partlyRefunded && shop.changes == [])
    }

    @Test func `the refund of an unknown payment suspends the license once a message names the payment's bill`() {
        var shop = OrderShop()
        shop.receive(ReportedFact(.refund("pi_9"), day: 1))
        var sale = ReportedFact.Kind.subscribed()
        if case .sold(var sold) = sale {
            sold.bill.payment = nil
            sale = .sold(sold)
        }
        shop.receive(ReportedFact(sale))
        #expect(shop.state == .paid)
        shop.receive(ReportedFact(.paymentNamed(bill: .of("in_pi_1"), payment: .of("pi_9")), day: 2))
        #expect(shop.state == .refunded && shop.license?.state == .suspended)
    }

    @Test func `a past-due subscription and its recovery don't change the license`() {
        var shop = subscribed()
        shop.receive(ReportedFact(.pastDue, day: 30))
        #expect(shop.state == .pastDue && shop.changes == [])
        shop.receive(ReportedFact(.recovered, day: 31))
        #expect(shop.state == .paid && shop.changes == [])
    }

    @Test func `a subscription is no longer past due once a period is paid`() {
        var shop = subscribed()
        shop.receive(ReportedFact(.pastDue, day: 30))
        shop.receive(ReportedFact(.period(until: 60), day: 31))
        #expect(shop.state == .paid)
    }

    @Test func `a scheduled cancellation and its withdrawal don't change the license`() {
        var shop = subscribed()
        shop.receive(ReportedFact(.willEnd, day: 3))
        #expect(shop.state == .cancelled && shop.changes == [])
        shop.receive(ReportedFact(.willNotEnd, day: 4))
        #expect(shop.state == .paid && shop.changes == [])
    }

    @Test func `a report of an older subscription state is ignored as superseded`() {
        var shop = subscribed()
        shop.receive(ReportedFact(.recovered, day: 31))
        #expect(shop.receive(ReportedFact(.pastDue, day: 30)) == .ignored(.superseded))
    }

    @Test func `of past-due and recovered reports with the same time, past due prevails and the order needs attention`()
    {
        for kinds in [[ReportedFact.Kind.pastDue, .recovered], [.recovered, .pastDue]] {
            var shop = subscribed()
            for kind in kinds { shop.receive(ReportedFact(kind, day: 30)) }
            #expect(shop.state == .pastDue && shop.attention == [.contradiction])
        }
    }

    @Test func `a subscription's pause ends the license immediately, and its resumption sets the license's end again`()
    {
        var shop = subscribed()
        shop.receive(ReportedFact(.paused, day: 10))
        #expect(shop.state == .paused && shop.changes == [.setEnd(id, until: day(10))])
        shop.receive(ReportedFact(.resumed(until: day(40)), day: 20))
        #expect(shop.state == .paid && shop.license?.end == day(40, hours: 72))
    }

    @Test func `an ended subscription's license ends at the end of the paid period`() {
        var shop = subscribed()
        shop.receive(ReportedFact(.ended(at: day(20)), day: 20))
        #expect(shop.state == .ended && shop.changes == [.setEnd(id, until: day(30))])
    }

    @Test
    func `an ended subscription ends its license before the paid period's end if the source's rule says so`() {
        var shop = subscribed()
        shop.rules.cancelled = .atOnce
        shop.receive(ReportedFact(.ended(at: day(20)), day: 20))
        #expect(shop.license?.end == day(20))
    }

    @Test func `an ended subscription ends its license immediately after a partial refund of the period`() {
        var shop = subscribed()
        shop.receive(ReportedFact(.refund(sum: 300, whole: false), day: 20))
        shop.receive(ReportedFact(.ended(at: day(20)), day: 20))
        #expect(shop.state == .ended && shop.license?.end == day(20))
    }

    @Test func `a changed plan without a bill changes the license's policy and can move the license's end earlier`() {
        var shop = subscribed()
        shop.receive(ReportedFact(plan("price_team", until: 15), day: 5))
        #expect(shop.changes == [.changePolicy(id, to: OrderShop.team), .setEnd(id, until: day(15, hours: 72))])
    }

    @Test func `a changed plan changes the license's policy once the plan's bill is paid`() {
        var shop = subscribed()
        shop.receive(ReportedFact(plan("price_team", until: 30, bill: "in_pi_31"), day: 5))
        #expect(shop.changes == [] && shop.order?.lines.first?.item == "price_year")
        var bill = ReportedFact.Kind.period(until: 31)
        if case .periodPaid(var sale) = bill {
            sale.bill.periodEnd = nil
            bill = .periodPaid(sale)
        }
        shop.receive(ReportedFact(bill, day: 6))
        #expect(shop.changes == [.changePolicy(id, to: OrderShop.team)] && shop.order?.paidUntil == day(30))
    }

    @Test func `a report of the current plan changes nothing`() {
        var shop = subscribed()
        shop.receive(ReportedFact(plan("price_year", until: 30), day: 5))
        #expect(shop.changes == [] && shop.order?.paidUntil == day(30))
    }

    @Test func `a larger quantity issues a license even after the rule for the item was removed`() {
        var shop = subscribed()
        shop.rules.items = []
        shop.receive(ReportedFact(plan("price_year", quantity: 2, until: 30), day: 5))
        #expect(shop.licenses.count == 2)
    }

    @Test
    func `a subscription's larger quantity issues more licenses, and a smaller one ends the newest with the period`() {
        var shop = subscribed(quantity: 2)
        shop.receive(ReportedFact(plan("price_year", quantity: 3, until: 30), day: 5))
        #expect(shop.licenses.count == 3)
        shop.receive(ReportedFact(plan("price_year", quantity: 1, until: 30), day: 6))
        shop.receive(ReportedFact(.period(until: 60), day: 30))
        #expect(shop.licenses.map(\.end) == [day(60, hours: 72), day(30), day(30)])
    }

    @Test func `a larger quantity of devices in a subscription raises the license's device limit`() {
        var shop = subscribed("price_devices", quantity: 2)
        shop.receive(ReportedFact(plan("price_devices", quantity: 5, until: 30), day: 5))
        #expect(shop.changes == [.changeDevices(id, to: 5)])
    }

    @Test func `a plan with another product issues a new license, and the old one ends with the period`() {
        var shop = subscribed()
        let other = ProductID("photos")!
        shop.rules.items.append(ItemRule("price_photos", goods: .init(other, OrderShop.yearly)))
        shop.receive(ReportedFact(plan("price_photos", until: 30), day: 5))
        #expect(shop.licenses.map(\.product) == [OrderShop.product, other])
        #expect(shop.licenses.map(\.end) == [day(30), day(30, hours: 72)])
    }

    @Test func `a license's end that an operator set isn't moved earlier by a paid period or the subscription's end`() {
        var shop = subscribed()
        shop.licenses[0].end = day(50)
        shop.receive(ReportedFact(.period(until: 45), day: 30))
        #expect(shop.changes == [])
        shop.receive(ReportedFact(.ended(at: day(46)), day: 46))
        #expect(shop.changes == [])
    }

    @Test func `a license's end that an operator set is moved later by a paid period that ends later`() {
        var shop = subscribed()
        shop.licenses[0].end = day(50)
        shop.receive(ReportedFact(.period(until: 60), day: 30))
        #expect(shop.changes == [.extend(id, until: day(60, hours: 72))])
    }

    @Test func `a paid period doesn't change a revoked license`() {
        var shop = subscribed()
        shop.licenses[0].state = .revoked
        shop.receive(ReportedFact(.period(until: 60), day: 30))
        #expect(shop.changes == [])
    }

    @Test func `a license's e-mail address changes with the buyer's address at the provider`() {
        var shop = subscribed()
        shop.receive(ReportedFact(.addressChanged(email: "ada@new.example"), day: 2))
        #expect(shop.changes == [.changeEmail(id, to: "ada@new.example")])
    }

    @Test func `a license's e-mail address that an operator set isn't replaced by the buyer's new address`() {
        var shop = subscribed()
        shop.licenses[0].email = "team@example.com"
        shop.receive(ReportedFact(.addressChanged(email: "ada@new.example"), day: 2))
        #expect(shop.changes == [])
    }

    @Test func `a subscription's sale without an address waits until a message names the buyer`() {
        var shop = OrderShop()
        var sale = ReportedFact.Kind.subscribed()
        if case .sold(var sold) = sale {
            sold.buyer.email = nil
            sale = .sold(sold)
        }
        guard case .parked(.factsMissing, .some) = shop.receive(ReportedFact(sale)) else { return #expect(Bool(false)) }
        shop.receive(ReportedFact(.buyerNamed(Buyer(email: "ada@example.com"))))
        #expect(shop.licenses.count == 1)
    }

    @Test func `a test license ends after seven days even if further periods are paid`() {
        var shop = OrderShop()
        shop.rules.world = .test
        shop.receive(ReportedFact(.subscribed()))
        shop.receive(ReportedFact(.period(until: 60), day: 30))
        #expect(shop.license?.end == day(7) && shop.order?.paidUntil == day(60) && shop.order?.isTest == true)
    }
}
