import TenureCore
import TenureSelling
import Testing

/// Tests how sales, refunds and disputes change licenses.
@Suite struct OrderStopTests {
    private let id = LicenseID(number: 0)!

    @Test func `a sale issues a license for the policy's duration`() throws {
        var shop = OrderShop("pi_1")
        shop.receive(ReportedFact(.purchase()))
        #expect(shop.state == .paid)
        guard case .issue(let license) = shop.changes.first else { throw Missing() }
        #expect(license.end == .policy(atMost: nil))
        #expect(license.email == "ada@example.com" && license.name == "Ada" && license.policy == OrderShop.yearly)
    }

    @Test func `a repeated sale changes nothing`() {
        var shop = OrderShop("pi_1")
        shop.receive(ReportedFact(.purchase()))
        #expect(shop.receive(ReportedFact(.purchase(), message: "copy")) == .repeated)
    }

    @Test func `a sale of five licenses issues five licenses`() {
        var shop = OrderShop("pi_1")
        shop.receive(ReportedFact(.purchase([SoldItem("price_year", quantity: 5)])))
        #expect(Set(shop.licenses.map(\.slot)) == Set((0..<5).map { LicenseSlot(line: 0, number: $0) }))
    }

    @Test func `a full refund suspends the license`() {
        var shop = OrderShop("pi_1")
        shop.receive(ReportedFact(.purchase()))
        shop.receive(ReportedFact(.refund(), day: 1))
        #expect(shop.state == .refunded)
        #expect(shop.changes == [.suspend(id, cause: .refund(of: .of("in_pi_1")))])
    }

    @Test func `partial refunds that add up to the payment suspend the license`() {
        var shop = OrderShop("pi_1")
        shop.receive(ReportedFact(.purchase()))
        shop.receive(ReportedFact(.refund(sum: 400, whole: false), day: 1))
        #expect(shop.state == .partlyRefunded && shop.changes == [])
        #expect(shop.attention == [.partlyRefunded(payment: .of("pi_1"))])
        shop.receive(ReportedFact(.refund(sum: 1_000, whole: false), day: 2))
        #expect(shop.state == .refunded && shop.license?.state == .suspended)
    }

    @Test func `a failed refund lifts the suspension that the refund caused`() {
        var shop = OrderShop("pi_1")
        shop.receive(ReportedFact(.purchase()))
        shop.receive(ReportedFact(.refund(), day: 1))
        shop.receive(ReportedFact(.failedRefund(), day: 2))
        #expect(shop.state == .paid && shop.changes == [.lift(id)])
    }

    @Test func `a refund after a failed one suspends the license again`() {
        var shop = OrderShop("pi_1")
        shop.receive(ReportedFact(.purchase()))
        shop.receive(ReportedFact(.refund(), day: 1))
        shop.receive(ReportedFact(.failedRefund(), day: 2))
        shop.receive(ReportedFact(.refund(), day: 3))
        #expect(shop.state == .refunded && shop.license?.state == .suspended)
    }

    @Test func `a refund revokes the license if the source's refund rule is to revoke`() {
        var shop = OrderShop("pi_1")
        shop.rules.refund = .revoke
        shop.receive(ReportedFact(.purchase()))
        shop.receive(ReportedFact(.refund(), day: 1))
        #expect(shop.changes == [.revoke(id, cause: .refund(of: .of("in_pi_1")))])
    }

    @Test func `a refund doesn't change the license if the source's refund rule is to keep it`() {
        var shop = OrderShop("pi_1")
        shop.rules.refund = .keep
        shop.receive(ReportedFact(.purchase()))
        shop.receive(ReportedFact(.refund(), day: 1))
        #expect(shop.state == .refunded && shop.changes == [])
    }

    @Test func `the refund of one of a bill's two payments is a partial refund of the order`() {
        var shop = OrderShop("in_1")
        let bill = Bill(.of("in_1"), gross: Money(1_000, "eur"))
        shop.receive(
            ReportedFact(
                .sold(Sale(.once, items: [SoldItem("price_year")], buyer: Buyer(email: "ada@example.com"), bill: bill)))
        )
        for payment in ["pi_1", "pi_2"] {
            shop.receive(ReportedFact(.paymentNamed(bill: .of("in_1"), payment: .of(payment))))
        }
        shop.receive(ReportedFact(.refund("pi_1", sum: 400), day: 1))
        #expect(shop.state == .partlyRefunded)
        shop.receive(ReportedFact(.refund("pi_2", sum: 600), day: 1))
        #expect(shop.state == .refunded)
    }

    @Test func `a sale uses an existing license of the sold policy rather than one of another policy`() {
        var shop = OrderShop("pi_1")
        shop.licenses = [OrderShop.team, OrderShop.yearly].enumerated().map { number, policy in
            PresentLicense(
                id: LicenseID(number: Int64(number))!, slot: nil, product: OrderShop.product, policy: policy,
                state: .active, end: nil, issuedAt: OrderShop.start, email: nil)
        }
        shop.receive(ReportedFact(.purchase()))
        #expect(shop.changes == [.adopt(LicenseID(number: 1)!, slot: LicenseSlot(line: 0, number: 0))])
    }

    @Test func `a refund that is reported again after the refund rule has changed changes nothing`() {
        var shop = OrderShop("pi_1")
        shop.receive(ReportedFact(.purchase()))
        shop.receive(ReportedFact(.refund(), day: 1))
        shop.rules.refund = .revoke
        #expect(shop.receive(ReportedFact(.refund(), day: 1)) == .repeated)
    }

    @Test func `the refund of a line suspends only that line's licenses`() {
        var shop = OrderShop("pi_1")
        shop.receive(ReportedFact(.purchase([SoldItem("price_year"), SoldItem("price_team")])))
        shop.receive(
            ReportedFact(
                .refunded(
                    Refund(
                        of: .of("pi_1"), id: .of("adj_1"), amount: Money(300, "eur"), extent: .items(["price_team"]))),
                day: 1))
        #expect(shop.state == .refunded)
        #expect(shop.licenses.map { $0.state == .suspended } == shop.licenses.map { $0.policy == OrderShop.team })
    }

    @Test func `a refund of taxes alone doesn't suspend a license, even if it equals the payment`() {
        var shop = OrderShop("pi_1")
        shop.receive(ReportedFact(.purchase(gross: 100)))
        let refund = Refund(of: .of("pi_1"), id: .of("adj_1"), amount: Money(100, "eur"), extent: .incidental)
        shop.receive(ReportedFact(.refunded(refund), day: 1))
        #expect(shop.state == .partlyRefunded && shop.changes == [])
    }

    @Test
    func `a refund in a currency other than the payment's leaves the refunded amount unchanged and needs attention`() {
        var shop = OrderShop("pi_1")
        shop.receive(ReportedFact(.purchase()))
        let refund = Refund(of: .of("pi_1"), amount: Money(5_000, "jpy"))
        shop.receive(ReportedFact(.refunded(refund), day: 1))
        #expect(shop.order?.payments.first?.refunded == 0)
        #expect(shop.attention.contains(.amountsDiffer(payment: .of("pi_1"))))
    }

    @Test func `a sale whose refund arrived first issues no license`() {
        var shop = OrderShop("pi_1")
        guard case .waiting = shop.receive(ReportedFact(.refund(), day: 1)) else { return #expect(Bool(false)) }
        shop.receive(ReportedFact(.purchase()))
        #expect(shop.state == .refunded && shop.licenses.isEmpty)
    }

    @Test func `a sale whose refund arrived first issues its license once the refund has failed`() {
        var shop = OrderShop("pi_1")
        shop.receive(ReportedFact(.refund(), day: 1))
        shop.receive(ReportedFact(.purchase()))
        shop.receive(ReportedFact(.failedRefund(), day: 2))
        #expect(shop.state == .paid && shop.licenses.count == 1)
    }

    @Test func `a dispute suspends the license until the dispute is won`() {
        var shop = OrderShop("pi_1")
        shop.receive(ReportedFact(.purchase()))
        shop.receive(ReportedFact(.disputed(.first), day: 1))
        #expect(shop.state == .disputed && shop.changes == [.suspend(id, cause: .dispute(.of("dp_1")))])
        shop.receive(ReportedFact(.disputeWon(.first), day: 9))
        #expect(shop.state == .paid && shop.changes == [.lift(id)])
    }

    @Test func `a lost dispute leaves the license suspended, with the loss as the new cause`() {
        var shop = OrderShop("pi_1")
        shop.receive(ReportedFact(.purchase()))
        shop.receive(ReportedFact(.disputed(.first), day: 1))
        shop.receive(ReportedFact(.disputeLost(.first), day: 9))
        #expect(shop.state == .refunded && shop.license?.state == .suspended)
        #expect(shop.changes == [.renameCause(id, to: .lostDispute(.of("dp_1")))])
    }

    @Test func `a lost dispute suspends the license even if the opening of the dispute is reported later`() {
        var shop = OrderShop("pi_1")
        shop.receive(ReportedFact(.purchase()))
        shop.receive(ReportedFact(.disputeLost(.first), day: 9))
        #expect(shop.changes == [.suspend(id, cause: .lostDispute(.of("dp_1")))])
        shop.receive(ReportedFact(.disputed(.first), day: 1))
        #expect(shop.state == .refunded && shop.changes == [])
    }

    @Test func `a lost dispute doesn't change the cause of an operator's suspension`() {
        var shop = OrderShop("pi_1")
        shop.receive(ReportedFact(.purchase()))
        shop.receive(ReportedFact(.disputed(.first), day: 1))
        shop.licenses[0].isSuspendedByOrder = false
        shop.receive(ReportedFact(.disputeLost(.first), day: 9))
        #expect(shop.changes == [] && shop.license?.state == .suspended)
    }

    @Test func `a dispute inquiry doesn't change the license`() {
        var shop = OrderShop("pi_1")
        shop.receive(ReportedFact(.purchase()))
        shop.receive(ReportedFact(.inquiry(.first), day: 1))
        #expect(shop.state == .paid && shop.changes == [])
    }

    @Test func `a suspension is lifted only after the last of its causes has ended`() {
        var shop = OrderShop("pi_1")
        shop.receive(ReportedFact(.purchase()))
        shop.receive(ReportedFact(.refund(), day: 1))
        shop.receive(ReportedFact(.disputed(.first), day: 2))
        shop.receive(ReportedFact(.failedRefund(), day: 3))
        #expect(shop.changes == [] && shop.license?.state == .suspended)
        shop.receive(ReportedFact(.disputeWon(.first), day: 4))
        #expect(shop.changes == [.lift(id)])
    }

    @Test func `a failed refund doesn't lift an operator's suspension`() {
        var shop = OrderShop("pi_1")
        shop.receive(ReportedFact(.purchase()))
        shop.receive(ReportedFact(.refund(), day: 1))
        shop.licenses[0].isSuspendedByOrder = false
        shop.receive(ReportedFact(.failedRefund(), day: 2))
        #expect(shop.changes == [] && shop.license?.state == .suspended)
    }

    @Test func `a refund becomes a cause of suspension even if an operator has already suspended the license`() {
        var shop = OrderShop("pi_1")
        shop.receive(ReportedFact(.purchase()))
        shop.licenses[0].state = .suspended
        shop.receive(ReportedFact(.refund(), day: 1))
        #expect(shop.changes == [.suspend(id, cause: .refund(of: .of("in_pi_1")))])
    }

    @Test func `a lost dispute doesn't suspend a license that an operator reinstated during the dispute`() {
        var shop = OrderShop("pi_1")
        shop.receive(ReportedFact(.purchase()))
        shop.receive(ReportedFact(.disputed(.first), day: 1))
        shop.licenses[0].state = .active
        shop.receive(ReportedFact(.disputeLost(.first), day: 9))
        #expect(shop.changes == [])
    }

    @Test func `a sale uses the license that already names its order instead of issuing one`() {
        var shop = OrderShop("pi_1")
        shop.licenses = [
            PresentLicense(
                id: id, slot: nil, product: OrderShop.product, policy: OrderShop.yearly, state: .active, end: nil,
                issuedAt: OrderShop.start, email: "ada@example.com")
        ]
        shop.receive(ReportedFact(.purchase()))
        #expect(shop.changes == [.adopt(id, slot: LicenseSlot(line: 0, number: 0))])
    }

    @Test func `a sale is parked if no rule of the source names its item`() {
        var shop = OrderShop("pi_1")
        #expect(shop.receive(ReportedFact(.purchase([SoldItem("price_new")]))) == .parked(.itemUnmapped, nil))
    }

    @Test func `a sale of items that the source's rules ignore issues no license`() {
        var shop = OrderShop("pi_1")
        #expect(shop.receive(ReportedFact(.purchase([SoldItem("price_gift")]))) == .ignored(.itemIgnored))
    }

    @Test func `a sale of more than 1,000 licenses is parked`() {
        var shop = OrderShop("pi_1")
        let items = [SoldItem("price_year", quantity: 600), SoldItem("price_team", quantity: 401)]
        #expect(shop.receive(ReportedFact(.purchase(items))) == .parked(.orderTooLarge, nil))
        let endless = [SoldItem("price_year", quantity: .max), SoldItem("price_year", quantity: .max)]
        #expect(shop.receive(ReportedFact(.purchase(endless))) == .parked(.orderTooLarge, nil))
    }

    @Test func `an item's quantity can set the number of devices of one license`() throws {
        var shop = OrderShop("pi_1")
        shop.receive(ReportedFact(.purchase([SoldItem("price_devices", quantity: 4)])))
        guard case .issue(let license) = shop.changes.first else { throw Missing() }
        #expect(shop.changes.count == 1 && license.devices == 4)
    }

    @Test func `a license sold by a payment source in test mode ends after seven days at most`() throws {
        var shop = OrderShop("pi_1")
        shop.rules.world = .test
        shop.receive(ReportedFact(.purchase()))
        guard case .issue(let license) = shop.changes.first else { throw Missing() }
        #expect(license.isTest && license.end == .policy(atMost: OrderShop.start.adding(days: 7)))
    }

    @Test func `a sale at a payment source in test mode is parked if the source already has 25 unexpired licenses`() {
        var shop = OrderShop("pi_1")
        shop.rules.world = .test
        #expect(shop.receive(ReportedFact(.purchase()), liveTestLicenses: 25) == .parked(.testLimit, nil))
        #expect(shop.licenses.isEmpty)
        shop.receive(ReportedFact(.purchase()), liveTestLicenses: 24)
        #expect(shop.licenses.count == 1)
    }

    struct Missing: Error {}
}
