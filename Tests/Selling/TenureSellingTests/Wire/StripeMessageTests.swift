import TenureCore
import TenureFormats
import TenureSelling
import Testing

@Suite struct StripeMessageTests {
    private let start = Timestamp(seconds: 1_790_000_000)
    private let monthEnd = Timestamp(seconds: 1_792_592_000)

    @Test func `a Stripe event has an id, a type, a time, a mode and an API version`() throws {
        let message = try StripeMessage(parsing: ProviderFixtures.body("stripe", "session-paid"))
        #expect(message.id.text == "evt_session_paid" && message.type == "checkout.session.completed")
        #expect(message.time == start && message.isLive && message.apiVersion == "2026-06-24.dahlia")
    }

    @Test func `a paid checkout session names its order and requires a request for its items`() throws {
        let content = try ProviderFixtures.stripe("session-paid")
        guard case .lacking(.sessionItems(.of("cs_live_a1")), let report) = content else { throw Unexpected(content) }
        #expect(report.reference == .of("pi_1") && report.names == [.of("pi_1"), .of("cs_live_a1")])
        #expect(report.facts.isEmpty)
    }

    @Test func `a paid checkout session with its items is a sale`() throws {
        let items = try #require(
            StripeResponse.items(
                parsing: ProviderFixtures.body("stripe", "line-items"), of: .of("cs_live_a1")))
        let sale = try #require(
            ProviderFixtures.stripe("session-paid", Supplement(items: items.items)).sale)
        #expect(sale.kind == .once && sale.items == [SoldItem("price_year", product: "prod_notes", quantity: 2)])
        #expect(sale.buyer.email == "ada@example.com" && sale.buyer.name == "Ada Lovelace")
        #expect(sale.bill == Bill(.of("cs_live_a1"), payment: .of("pi_1"), gross: Money(4_900, "eur")))
    }

    @Test func `a response with the items of another Stripe checkout session is refused`() throws {
        let body = try ProviderFixtures.body("stripe", "line-items")
        #expect(StripeResponse.items(parsing: body, of: .of("cs_live_a2")) == nil)
    }

    @Test func `an unpaid checkout session reports no fact`() throws {
        #expect(try ProviderFixtures.stripe("session-unpaid") == .noted)
    }

    @Test func `the later payment of a checkout session is read as a sale`() throws {
        let content = try ProviderFixtures.stripe("session-paid-later", Supplement(items: [SoldItem("price_year")]))
        #expect(content.sale?.bill.payment == .of("pi_1"))
    }

    @Test func `the order of a free checkout session has the session's id as its reference`() throws {
        let content = try ProviderFixtures.stripe("session-free", Supplement(items: [SoldItem("price_year")]))
        #expect(content.report?.reference == .of("cs_live_a1") && content.sale?.bill.gross.amount == 0)
    }

    @Test func `a checkout session's metadata or payment link can name the sold item`() throws {
        let message = try StripeMessage(parsing: ProviderFixtures.body("stripe", "session-with-item"))
        #expect(try message.content { $0 == "price_year" }.sale?.items == [SoldItem("price_year")])
        #expect(try message.content { $0 == "plink_1" }.sale?.items == [SoldItem("plink_1")])
        #expect(try message.content().sale == nil)
    }

    @Test func `a checkout session with an invoice names the invoice`() throws {
        let report = try #require(
            ProviderFixtures.stripe("session-with-item", Supplement(items: [SoldItem("price_year")])).report)
        #expect(report.names.contains(.of("in_9")))
    }

    @Test func `a checkout session of a subscription names the buyer`() throws {
        let content = try ProviderFixtures.stripe("session-subscription")
        #expect(content.report?.reference == .of("sub_1"))
        #expect(
            content.kinds == [
                .buyerNamed(
                    Buyer(
                        email: "ada@example.com", name: "Ada Lovelace", license: "lic_0000000000001",
                        customer: .of("cus_1")))
            ])
    }

    @Test func `the first invoice of a Stripe subscription is read as the sale`() throws {
        let content = try ProviderFixtures.stripe("invoice-first")
        guard case .sold(let sale) = content.kinds.first else { throw Unexpected(content) }
        #expect(content.report?.reference == .of("sub_1") && sale.kind == .subscription)
        #expect(sale.items == [SoldItem("price_month", product: "prod_notes")] && sale.bill.periodEnd == monthEnd)
        #expect(sale.buyer.customer == .of("cus_1"))
    }

    @Test func `the first Stripe invoice of a trial begins the trial`() throws {
        let content = try ProviderFixtures.stripe("invoice-trial")
        guard case .trialBegun(let sale) = content.kinds.first else { throw Unexpected(content) }
        #expect(sale.bill.periodEnd == start.adding(days: 14))
    }

    @Test func `a later invoice of a Stripe subscription is reported as a paid period`() throws {
        let content = try ProviderFixtures.stripe("invoice-next")
        guard case .periodPaid(let sale) = content.kinds.first else { throw Unexpected(content) }
        #expect(sale.bill.periodEnd == monthEnd.adding(days: 30))
    }

    @Test func `a paid invoice of prorations alone is reported without the end of a period`() throws {
        for name in ["invoice-prorated", "invoice-prorated-old"] {
            let content = try ProviderFixtures.stripe(name)
            guard case .periodPaid(let sale) = content.kinds.first else { throw Unexpected(content) }
            #expect(sale.bill.periodEnd == nil && sale.bill.gross.amount == 500)
        }
    }

    @Test func `an invoice for a prorated first period of a subscription is the sale`() throws {
        let content = try ProviderFixtures.stripe("invoice-anchored")
        guard case .sold(let sale) = content.kinds.first else { throw Unexpected(content) }
        #expect(sale.items.count == 1 && sale.bill.periodEnd == monthEnd)
    }

    @Test func `an invalid e-mail address of a buyer is ignored`() throws {
        let body = String(decoding: try ProviderFixtures.body("stripe", "invoice-first"), as: UTF8.self)
        for email in ["", "ada", "a@b,c@d", "a b@example.com"] {
            let message = try StripeMessage(parsing: Array(body.replacing("ada@example.com", with: email).utf8))
            #expect(try message.content().sale?.buyer.email == nil)
        }
    }

    @Test func `a first invoice with more lines than its event lists requires a request for the other lines`() throws {
        guard case .lacking(.invoiceItems(.of("in_1")), _) = try ProviderFixtures.stripe("invoice-many") else {
            throw Unexpected(try ProviderFixtures.stripe("invoice-many"))
        }
    }

    @Test func `a Stripe invoice without a subscription is read as an invoice of a single purchase`() throws {
        let content = try ProviderFixtures.stripe("invoice-single")
        guard case .invoice(let report) = content else { throw Unexpected(content) }
        #expect(report.reference == .of("in_9") && content.sale?.kind == .once && content.sale?.bill.periodEnd == nil)
    }

    @Test func `a payment of an invoice names both the payment and the invoice`() throws {
        let report = try #require(ProviderFixtures.stripe("invoice-payment").report)
        #expect(report.reference == nil && report.names == [.of("in_1"), .of("pi_1")])
        #expect(report.facts.map(\.kind) == [.paymentNamed(bill: .of("in_1"), payment: .of("pi_1"))])
    }

    @Test func `a failed Stripe invoice reports a past-due subscription`() throws {
        #expect(try ProviderFixtures.stripe("invoice-failed").kinds == [.pastDue])
    }

    @Test func `an active Stripe subscription reports its state and its items`() throws {
        let plan = SubscriptionPlan(
            items: [SoldItem("price_month", product: "prod_notes")], periodEnd: monthEnd, bill: .of("in_1"))
        #expect(
            try ProviderFixtures.stripe("subscription-active").kinds == [.recovered, .willNotEnd, .planChanged(plan)])
    }

    @Test(arguments: ["subscription-active", "invoice-first", "invoice-next", "refund-whole"])
    func `a Stripe event in the format before API version basil reports the same facts as in the newer format`(
        _ name: String
    ) throws {
        let (new, old) = (try ProviderFixtures.stripe(name), try ProviderFixtures.stripe("\(name)-old"))
        #expect(new.report?.facts.map(\.key) == old.report?.facts.map(\.key))
        #expect(new.sale?.items == old.sale?.items && new.sale?.bill.periodEnd == old.sale?.bill.periodEnd)
        if new.sale == nil { #expect(new.kinds == old.kinds) }
    }

    @Test func `a past-due, cancelled, paused, resumed or ended Stripe subscription is reported as facts`() throws {
        #expect(try ProviderFixtures.stripe("subscription-past-due").kinds == [.pastDue, .willNotEnd])
        #expect(try ProviderFixtures.stripe("subscription-cancels").kinds.contains(.willEnd))
        #expect(try ProviderFixtures.stripe("subscription-paused").kinds == [.paused])
        #expect(
            try ProviderFixtures.stripe("subscription-resumed").kinds
                .contains(.resumed(until: monthEnd.adding(days: 10))))
        #expect(try ProviderFixtures.stripe("subscription-deleted").kinds == [.ended(at: monthEnd)])
    }

    @Test func `a Stripe subscription in its trial period reports the same facts as an active one`() throws {
        let trialing = try ProviderFixtures.text("stripe", "subscription-cancels")
            .replacing(#""status": "active""#, with: #""status": "trialing""#)
        let content = try StripeMessage(parsing: Array(trialing.utf8)).content(with: Supplement())
        let active = try ProviderFixtures.stripe("subscription-cancels")
        #expect(content.kinds == active.kinds && !active.kinds.isEmpty)
    }

    @Test func `a refunded charge reports the sum of its refunds, and a failed refund reports its amount`() throws {
        let amount = Money(1_000, "eur")
        #expect(
            try ProviderFixtures.stripe("refund-whole").kinds
                == [.refunded(Refund(of: .of("pi_1"), amount: amount, extent: .whole))])
        #expect(
            try ProviderFixtures.stripe("refund-part").kinds
                == [.refunded(Refund(of: .of("pi_1"), amount: Money(300, "eur")))])
        #expect(
            try ProviderFixtures.stripe("refund-failed").kinds
                == [.refundFailed(FailedRefund(of: .of("pi_1"), id: .of("re_1"), amount: amount))])
    }

    @Test func `a Stripe dispute is reported as open, won, lost or an inquiry`() throws {
        let dispute = Dispute(.of("du_1"), of: .of("pi_1"))
        #expect(try ProviderFixtures.stripe("dispute-open").kinds == [.disputed(dispute)])
        #expect(try ProviderFixtures.stripe("dispute-won").kinds == [.disputeWon(dispute)])
        #expect(try ProviderFixtures.stripe("dispute-lost").kinds == [.disputeLost(dispute)])
        #expect(try ProviderFixtures.stripe("dispute-inquiry").kinds == [.inquiry(dispute)])
    }

    @Test func `a Stripe customer's changed e-mail address is reported as a fact`() throws {
        let content = try ProviderFixtures.stripe("customer-moved")
        guard case .customer(.of("cus_1"), _, let fact) = content else { throw Unexpected(content) }
        #expect(fact.kind == .addressChanged(email: "ada@new.example"))
    }

    @Test func `a Stripe customer's first e-mail address is reported as a fact, and a changed name isn't`() throws {
        func content(_ previous: String) throws -> MessageContent {
            let event = #"{"id":"evt_1","type":"customer.updated","created":1790000000,"livemode":true,"data":"#
            let object = #"{"object":{"id":"cus_1","email":"ada@new.example"},"previous_attributes":"#
            let body = event + object + previous + "}}"
            return try StripeMessage(parsing: Array(body.utf8)).content()
        }
        guard case .customer = try content(#"{"email":null}"#) else { return #expect(Bool(false)) }
        #expect(try content(#"{"name":"Ada"}"#) == .noted)
    }

    @Test func `a Stripe event of a type without meaning for licenses is classified as unused`() throws {
        #expect(try ProviderFixtures.stripe("payment-intent") == .unused)
    }

    @Test func `a message that isn't a Stripe event is an error`() {
        for body in ["", "{}", "[]", #"{"id":"evt_1"}"#, #"{"id":"a b","type":"x","created":1,"livemode":true}"#] {
            #expect(throws: FormatError.self) { try StripeMessage(parsing: Array(body.utf8)) }
        }
    }

    struct Unexpected: Error {
        let content: MessageContent
        init(_ content: MessageContent) { self.content = content }
    }
}
