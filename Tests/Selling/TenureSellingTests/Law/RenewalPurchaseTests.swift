import TenureCore
import TenureSelling
import Testing

/// Purchases that name a license to renew. The buyer chooses the license's id, so the id isn't trusted.
@Suite struct RenewalPurchaseTests {
    private func changes(
        renewing license: PresentLicense? = .ofOtherOrder, _ sale: ReportedFact.Kind = .renewing(), test: Bool = false
    ) -> [LicenseChange] {
        var shop = OrderShop("pi_1")
        shop.renewed = license
        if test { shop.rules.world = .test }
        shop.receive(ReportedFact(sale))
        return shop.changes
    }

    private func other(_ change: (inout PresentLicense) -> Void) -> PresentLicense {
        var license = PresentLicense.ofOtherOrder
        change(&license)
        return license
    }

    @Test func `a purchase adds its time to the license that it names if product and policy are the same`() {
        #expect(changes() == [.addTime(PresentLicense.ofOtherOrder.id, slot: LicenseSlot(line: 0, number: 0))])
    }

    @Test func `a purchase that names a license it can't renew issues a new license`() {
        let wrong: [PresentLicense?] = [
            nil, other { $0.policy = OrderShop.team }, other { $0.product = ProductID("photos")! },
            other { $0.end = nil },
            other { $0.state = .revoked }, other { $0.state = .returned }, other { $0.isTest = true },
            other { $0.id = LicenseID(number: 78)! },
        ]
        for license in wrong { #expect(changes(renewing: license).map(\.issues) == [true]) }
        #expect(changes(test: true).map(\.issues) == [true])
    }

    @Test func `a purchase of two licenses that names a license issues two new ones`() {
        #expect(changes(.renewing(quantity: 2)).map(\.issues) == [true, true])
    }

    @Test func `a subscription that names a license issues a new license`() {
        var sale = ReportedFact.Kind.subscribed()
        if case .sold(var sold) = sale {
            sold.buyer.license = PresentLicense.ofOtherOrder.id.description
            sale = .sold(sold)
        }
        #expect(changes(sale).map(\.issues) == [true])
    }

    @Test func `a sale that has issued a license doesn't renew the license that an older report of the sale names`() {
        var shop = OrderShop("pi_1")
        shop.receive(ReportedFact(.purchase(), day: 1))
        shop.renewed = .ofOtherOrder
        shop.receive(ReportedFact(.renewing()))
        let time = LicenseChange.addTime(PresentLicense.ofOtherOrder.id, slot: LicenseSlot(line: 0, number: 0))
        #expect(shop.order?.renewedLicense == nil && !shop.changes.contains(time))
        shop.receive(ReportedFact(.refund(), day: 2))
        #expect(shop.license?.state == .suspended)
    }

    @Test func `a purchase whose refund arrived first adds its time only once the refund has failed`() {
        var shop = OrderShop("pi_1")
        shop.renewed = .ofOtherOrder
        shop.receive(ReportedFact(.refund(), day: 1))
        shop.receive(ReportedFact(.renewing()))
        #expect(shop.changes == [])
        shop.receive(ReportedFact(.failedRefund(), day: 2))
        #expect(shop.changes == [.addTime(PresentLicense.ofOtherOrder.id, slot: LicenseSlot(line: 0, number: 0))])
    }

    @Test func `a refund doesn't shorten the renewed license if the source's refund rule is to keep licenses`() {
        var shop = OrderShop("pi_1")
        shop.rules.refund = .keep
        shop.renewed = .ofOtherOrder
        shop.receive(ReportedFact(.renewing()))
        shop.receive(ReportedFact(.refund(), day: 1))
        #expect(shop.changes == [])
    }
}

extension PresentLicense {
    /// A license of another order, of the product and policy of `price_year`.
    static let ofOtherOrder = PresentLicense(
        id: LicenseID(number: 77)!, slot: nil, product: OrderShop.product, policy: OrderShop.yearly, state: .active,
        end: OrderShop.start.adding(days: 9), issuedAt: OrderShop.start, email: "ada@example.com")
}

extension ReportedFact.Kind {
    /// A purchase whose buyer names the license of another order.
    static func renewing(quantity: Int = 1) -> Self {
        let buyer = Buyer(email: "eve@example.com", license: PresentLicense.ofOtherOrder.id.description)
        return .sold(
            Sale(.once, items: [SoldItem("price_year", quantity: quantity)], buyer: buyer, bill: .of("pi_1", 1_000)))
    }
}
