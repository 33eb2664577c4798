import TenureCore
import TenureFormats
import TenureSelling
import Testing

@Suite struct PaddleMessageTests {
    private let buyer = Buyer(email: "ada@example.com", name: "Ada", customer: .of("ctm_1"))
    private let firstEnd = Timestamp(text: "2026-10-21T14:13:20Z")!

    private func read(_ name: String, with supplement: Supplement = Supplement()) throws -> MessageContent {
        try PaddleMessage(parsing: ProviderFixtures.body("paddle", name)).content(with: supplement)
    }

    @Test func `a Paddle event has an id, a type and a time`() throws {
        let message = try PaddleMessage(parsing: ProviderFixtures.body("paddle", "purchase"))
        #expect(message.id.text == "evt_purchase" && message.type == "transaction.completed")
        #expect(message.time == Timestamp(seconds: 1_790_000_000))
    }

    @Test func `a sale at Paddle requires a request for its buyer's address`() throws {
        let content = try read("purchase")
        guard case .lacking(.customer(.of("ctm_1")), let report) = content else { throw Unexpected(content) }
        #expect(report.reference == .of("txn_1"))
    }

    @Test func `a transaction without recurring items is a single purchase`() throws {
        let sale = try #require(read("purchase", with: Supplement(buyer: buyer)).sale)
        #expect(sale.kind == .once && sale.bill == Bill(.of("txn_1"), gross: Money(4_900, "eur")))
        #expect(
            sale.items == [
                SoldItem("pri_year", product: "pro_notes", quantity: 2, line: "txnitm_1"),
                SoldItem("pri_team", product: "pro_notes", line: "txnitm_2"),
            ])
        #expect(sale.buyer.email == "ada@example.com" && sale.buyer.license == "lic_0000000000001")
    }

    @Test func `the first transaction of a Paddle subscription is read as the sale`() throws {
        let content = try read("subscription-sale", with: Supplement(buyer: buyer))
        guard case .sold(let sale) = content.kinds.first else { throw Unexpected(content) }
        #expect(content.report?.reference == .of("sub_1") && sale.bill.periodEnd == firstEnd)
    }

    @Test func `a Paddle subscription's first transaction begins a trial if it has no amount`() throws {
        let content = try read("trial", with: Supplement(buyer: buyer))
        guard case .trialBegun(let sale) = content.kinds.first else { throw Unexpected(content) }
        #expect(sale.bill.periodEnd == firstEnd)
    }

    @Test func `a Paddle transaction that doesn't name its subscription waits for the subscription's message`() throws {
        let sold = try #require(read("subscription-sale-unnamed", with: Supplement(buyer: buyer)).report)
        let created = try #require(read("subscription-created").report)
        #expect(sold.reference == nil && created.reference == .of("sub_1"))
        #expect(sold.names == [.of("txn_2")] && created.names == [.of("sub_1"), .of("txn_2")])
        for reports in [[sold, created], [created, sold]] {
            var shop = self.shop
            for report in reports {
                #expect(shop.licenses.isEmpty)
                for fact in report.facts { shop.receive(fact) }
            }
            #expect(shop.license?.end == firstEnd.adding(days: 3))
        }
    }

    @Test func `a recurring Paddle transaction is reported as a paid period and requires no request for the buyer`()
        throws
    {
        let content = try read("renewal")
        guard case .periodPaid(let sale) = content.kinds.first else { throw Unexpected(content) }
        #expect(sale.bill.periodEnd == Timestamp(text: "2026-11-21T14:13:20Z"))
    }

    @Test func `a paid proration at Paddle is reported without the end of a period`() throws {
        let content = try read("proration")
        guard case .periodPaid(let sale) = content.kinds.first else { throw Unexpected(content) }
        #expect(sale.bill.periodEnd == nil && sale.bill.gross.amount == 500)
    }

    @Test func `a Paddle message about a changed payment card reports no fact`() throws {
        #expect(try read("card-changed") == .noted)
    }

    @Test func `a message about a paid Paddle transaction that isn't completed yet is classified as unused`() throws {
        #expect(try read("transaction-paid") == .unused)
    }

    @Test func `a changed, cancelled, past-due, paused, resumed or ended Paddle subscription is reported as facts`()
        throws
    {
        let plan = { (price: String) in
            ReportedFact.Kind.planChanged(
                SubscriptionPlan(items: [SoldItem(price, product: "pro_notes")], periodEnd: firstEnd))
        }
        #expect(try read("subscription-team").kinds == [.recovered, .willNotEnd, plan("pri_team")])
        #expect(try read("subscription-cancels").kinds == [.recovered, .willEnd, plan("pri_month")])
        #expect(try read("subscription-past-due").kinds == [.pastDue, .willNotEnd])
        #expect(try read("subscription-paused").kinds == [.paused])
        #expect(try read("subscription-resumed").kinds.contains(.resumed(until: firstEnd)))
        #expect(try read("subscription-canceled").kinds == [.ended(at: firstEnd)])
    }

    @Test func `a Paddle subscription in its trial period reports the same facts as an active one`() throws {
        let trialing = try ProviderFixtures.text("paddle", "subscription-cancels")
            .replacing(#""status": "active""#, with: #""status": "trialing""#)
        let content = try PaddleMessage(parsing: Array(trialing.utf8)).content(with: Supplement())
        let active = try read("subscription-cancels")
        #expect(content.kinds == active.kinds && !active.kinds.isEmpty)
    }

    @Test func `a refund is reported when Paddle approves it, and as failed when Paddle rejects it`() throws {
        let refund = Refund(of: .of("txn_2"), id: .of("adj_1"), amount: Money(1_000, "eur"), extent: .whole)
        #expect(try read("refund-pending") == .noted)
        #expect(try read("refund-approved").kinds == [.refunded(refund)])
        #expect(try read("refund-approved").report?.reference == .of("sub_1"))
        let failed = FailedRefund(of: .of("txn_2"), id: .of("adj_1"), amount: Money(1_000, "eur"))
        #expect(try read("refund-rejected").kinds == [.refundFailed(failed)])
    }

    @Test func `a Paddle refund is read as a refund of single lines, of a part of the payment or of taxes alone`()
        throws
    {
        let extents = try ["refund-line", "refund-part", "refund-tax"].map { name in
            if case .refunded(let refund) = try read(name).kinds.first { refund.extent } else { Refund.Extent.whole }
        }
        #expect(extents == [.items(["txnitm_2"]), .part, .incidental])
    }

    @Test func `the refund of a line suspends that line's license`() throws {
        var shop = self.shop
        for name in ["purchase", "refund-line"] {
            for fact in try #require(read(name, with: Supplement(buyer: buyer)).report).facts { shop.receive(fact) }
        }
        #expect(shop.state == .refunded && shop.licenses.count == 3)
        #expect(shop.licenses.filter { $0.state == .suspended }.map(\.policy) == [OrderShop.team])
    }

    @Test func `a Paddle message about a credit reports no fact`() throws {
        #expect(try read("credit") == .noted)
    }

    @Test func `a chargeback at Paddle is reported as a dispute of its transaction`() throws {
        let dispute = Dispute(.of("txn_2"), of: .of("txn_2"))
        #expect(try read("chargeback").kinds == [.disputed(dispute)])
        #expect(try read("chargeback-reversed").kinds == [.disputeWon(dispute)])
        #expect(try read("chargeback-warning").kinds == [.inquiry(dispute)])
    }

    @Test func `a message about a Paddle customer reports the customer's address and name`() throws {
        let content = try read("customer-moved")
        guard case .customer(.of("ctm_1"), let buyer, let fact) = content else { throw Unexpected(content) }
        #expect(buyer.name == "Ada Lovelace" && fact.kind == .addressChanged(email: "ada@new.example"))
    }

    @Test func `a Paddle response about another customer is refused`() throws {
        let body = try ProviderFixtures.body("paddle", "customer-response")
        #expect(PaddleResponse.buyer(parsing: body, of: .of("ctm_1"))?.email == "ada@new.example")
        #expect(PaddleResponse.buyer(parsing: body, of: .of("ctm_2")) == nil)
    }

    private var shop: OrderShop {
        var shop = OrderShop()
        shop.rules.items = [
            ItemRule("pri_month", goods: .init(OrderShop.product, OrderShop.yearly)),
            ItemRule("pri_year", goods: .init(OrderShop.product, OrderShop.yearly)),
            ItemRule("pri_team", goods: .init(OrderShop.product, OrderShop.team)),
        ]
        return shop
    }

    struct Unexpected: Error {
        let content: MessageContent
        init(_ content: MessageContent) { self.content = content }
    }
}
