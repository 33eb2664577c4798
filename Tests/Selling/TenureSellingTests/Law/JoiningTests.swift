import TenureCore
import TenureSelling
import Testing

/// Tests how licenses from before the source was configured are joined to orders.
@Suite struct JoiningTests {
    private static let id = LicenseID(number: 7)!

    private func license(
        _ policy: PolicyID = OrderShop.yearly, product: ProductID = OrderShop.product,
        state: LifecycleState = .active, slot: LicenseSlot? = nil, id: LicenseID = id
    ) -> PresentLicense {
        PresentLicense(
            id: id, slot: slot, product: product, policy: policy, state: state,
            end: OrderShop.start.adding(days: 31), issuedAt: OrderShop.start.adding(days: -300),
            email: "ada@example.com")
    }

    @Test func `a renewal of an unknown order extends the license that names the order`() {
        var shop = OrderShop()
        shop.licenses = [license()]
        shop.receive(ReportedFact(.period(until: 60), day: 30))
        #expect(shop.license?.end == OrderShop.start.adding(days: 60).adding(seconds: 72 * 3_600))
        #expect(shop.license?.slot == LicenseSlot(line: 0, number: 0))
        shop.receive(ReportedFact(.period(until: 90), day: 60))
        #expect(shop.license?.end == OrderShop.start.adding(days: 90).adding(seconds: 72 * 3_600))
        #expect(shop.order?.payments.count == 2)
    }

    @Test func `a parked renewal is applied once a license names its order`() {
        var shop = OrderShop()
        let period = ReportedFact(.period(until: 60), day: 30)
        guard case .parked(.orderUnknown, .some) = shop.receive(period) else { return #expect(Bool(false)) }
        shop.licenses = [license()]
        guard case .changed(let changes) = shop.receive(period) else { return #expect(Bool(false)) }
        #expect(changes.licenses.contains(.adopt(Self.id, slot: LicenseSlot(line: 0, number: 0))))
        #expect(changes.events == [.paid])
    }

    @Test func `a renewal of three licenses of an unknown order is parked until three licenses name the order`() {
        var shop = OrderShop()
        shop.licenses = [license()]
        var period = ReportedFact(.period(until: 60), day: 30)
        guard case .periodPaid(var sale) = period.kind else { return #expect(Bool(false)) }
        sale.items = [SoldItem("price_year", quantity: 3)]
        period.kind = .periodPaid(sale)
        guard case .parked(.orderUnknown, .some) = shop.receive(period) else { return #expect(Bool(false)) }
        shop.licenses += [license(id: LicenseID(number: 8)!), license(id: LicenseID(number: 9)!)]
        shop.receive(period)
        #expect(shop.licenses.allSatisfy { $0.slot != nil } && shop.licenses.count == 3)
    }

    @Test func `a renewal doesn't extend a license of another product`() {
        var shop = OrderShop()
        shop.licenses = [license(product: ProductID("game")!)]
        let decision = shop.receive(ReportedFact(.period(until: 60), day: 30))
        guard case .parked(.orderUnknown, .some) = decision else { return #expect(Bool(false)) }
        #expect(shop.license?.slot == nil)
    }

    @Test func `a refund received before a license was joined to the order suspends that license`() {
        var shop = OrderShop()
        shop.receive(ReportedFact(.refund("pi_60"), day: 31))
        shop.receive(ReportedFact(.period(until: 60), day: 30))
        shop.licenses = [license()]
        shop.receive(ReportedFact(.period(until: 60), day: 30))
        #expect(shop.state == .refunded && shop.license?.state == .suspended)
    }

    @Test func `joining a license of another order, product or policy, or a revoked one, is refused with the reason`() {
        var shop = OrderShop()
        shop.receive(ReportedFact(.period(until: 60), day: 30))
        func obstacle(_ license: PresentLicense, naming order: String? = nil) -> JoinObstacle? {
            Order.obstacle(joining: license, naming: order, to: shop.facts, rules: shop.rules)
        }
        #expect(obstacle(license()) == nil)
        #expect(obstacle(license(), naming: "sub_1") == nil)
        #expect(obstacle(license(), naming: "sub_2") == .licenseOfOrder)
        #expect(obstacle(license(slot: LicenseSlot(line: 0, number: 0))) == .licenseOfOrder)
        #expect(obstacle(license(state: .revoked)) == .licenseFinal)
        #expect(obstacle(license(OrderShop.team)) == .licenseNotSold)
        #expect(obstacle(license(product: ProductID("game")!)) == .licenseNotSold)
        #expect(obstacle(license(state: .suspended)) == nil)
        shop.rules.world = .test
        #expect(obstacle(license()) == .sourceOfTests)
    }

    @Test func `a license of any policy that the source sells can be joined to an unknown order`() {
        let shop = OrderShop()
        func obstacle(_ license: PresentLicense) -> JoinObstacle? {
            Order.obstacle(joining: license, naming: nil, to: shop.facts, rules: shop.rules)
        }
        #expect(obstacle(license(OrderShop.team)) == nil)
        #expect(obstacle(license(PolicyID("never")!)) == .licenseNotSold)
    }

    @Test func `no license can be joined to an order whose sale has issued a license`() {
        var shop = OrderShop()
        shop.receive(ReportedFact(.subscribed()))
        let obstacle = Order.obstacle(joining: license(), naming: nil, to: shop.facts, rules: shop.rules)
        #expect(obstacle == .orderKnown)
    }

    @Test func `renewals without an e-mail address extend the license that names the order`() {
        var shop = OrderShop()
        shop.licenses = [license()]
        for (day, end) in [(30, 60), (60, 90)] {
            var period = ReportedFact(.period(until: end), day: day)
            guard case .periodPaid(var sale) = period.kind else { return #expect(Bool(false)) }
            sale.buyer = Buyer(email: nil)
            period.kind = .periodPaid(sale)
            shop.receive(period)
            #expect(shop.license?.end == OrderShop.start.adding(days: end).adding(seconds: 72 * 3_600))
        }
    }

    @Test func `a sale without an e-mail address waits until a license that was issued by hand is joined`() {
        var shop = OrderShop()
        var sold = ReportedFact(.subscribed())
        guard case .sold(var sale) = sold.kind else { return #expect(Bool(false)) }
        sale.buyer = Buyer(email: nil)
        sold.kind = .sold(sale)
        for _ in 1...3 {
            guard case .parked(.factsMissing, .some) = shop.receive(sold) else { return #expect(Bool(false)) }
        }
        #expect(Order.obstacle(joining: license(), naming: nil, to: shop.facts, rules: shop.rules) == nil)
        shop.licenses = [license()]
        guard case .changed(let changes) = shop.receive(sold) else { return #expect(Bool(false)) }
        #expect(changes.licenses.contains(.adopt(Self.id, slot: LicenseSlot(line: 0, number: 0))))
        #expect(shop.receive(sold) == .repeated)
    }
}
