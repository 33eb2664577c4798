import TenureCore
import TenureSelling
import Testing

@Suite struct SimulationTests {
    private let now = OrderShop.start
    private let end = OrderShop.start.adding(days: 30)
    private let gross = Money(1_000, "eur")
    private let item = SoldItem("price_year", product: "prod_1")
    private let name = SimulatedName(random: Array(0..<8))

    private var stripe: StripeSimulation { StripeSimulation(named: name, at: now) }
    private var paddle: PaddleSimulation { PaddleSimulation(named: name, at: now) }

    private func stripeOrder(until end: Timestamp?) -> SimulatedOrder {
        stripe.order(of: item, to: "ada@shop.example", reference: nil, gross: gross, until: end)
    }

    private func paddleOrder(until end: Timestamp?) -> SimulatedOrder {
        paddle.order(of: item, to: "ada@shop.example", reference: nil, gross: gross, until: end)
    }

    private func read(stripe messages: [SimulatedMessage]) throws -> [MessageContent] {
        try messages.map { message in
            let read = try StripeMessage(parsing: message.body)
            #expect(read.id == message.id && read.time == now && !read.isLive)
            return try read.content()
        }
    }

    private func read(paddle messages: [SimulatedMessage], _ buyer: Buyer? = nil) throws -> [MessageContent] {
        try messages.map { message in
            let read = try PaddleMessage(parsing: message.body)
            #expect(read.id == message.id && read.time == now)
            return try read.content(with: Supplement(buyer: buyer))
        }
    }

    @Test func `a simulated single purchase at Stripe is read as a sale`() throws {
        let order = stripeOrder(until: nil)
        let contents = try read(stripe: stripe.messages(.sale, of: order))
        let sale = try #require(contents.first?.sale)
        #expect(contents.count == 1 && contents.first?.report?.reference == order.reference)
        #expect(sale.kind == .once && sale.items == [item] && sale.buyer.email == "ada@shop.example")
        #expect(sale.bill == Bill(order.bill.reference, payment: order.reference, gross: gross))
    }

    @Test
    func `a simulated subscription at Stripe is read as a sale with a period's end and a message with the payment`()
        throws
    {
        let order = stripeOrder(until: end)
        let contents = try read(stripe: stripe.messages(.sale, of: order))
        guard case .sold(let sale) = contents[0].kinds.first else { throw Unexpected(contents[0]) }
        #expect(contents.map { $0.report?.reference } == [order.reference, nil])
        #expect(sale.kind == .subscription && sale.items == [item] && sale.bill.periodEnd == end)
        let bill = order.bill
        #expect(contents[1].kinds == [.paymentNamed(bill: bill.reference, payment: try #require(bill.payment))])
    }

    @Test func `a simulated renewal at Stripe is read as a paid period`() throws {
        let contents = try read(stripe: stripe.messages(.renewal, of: stripeOrder(until: end)))
        guard case .periodPaid(let sale) = contents[0].kinds.first else { throw Unexpected(contents[0]) }
        #expect(sale.bill.periodEnd == end && sale.bill.gross == gross)
    }

    @Test func `a simulated refund at Stripe refunds the whole payment`() throws {
        let order = stripeOrder(until: nil)
        let contents = try read(stripe: stripe.messages(.refund, of: order))
        #expect(contents.flatMap(\.kinds) == [.refunded(Refund(of: order.reference, amount: gross, extent: .whole))])
    }

    @Test func `a simulated dispute at Stripe disputes the payment`() throws {
        let order = stripeOrder(until: nil)
        let contents = try read(stripe: stripe.messages(.dispute, of: order))
        guard case .disputed(let dispute) = contents[0].kinds.first else { throw Unexpected(contents[0]) }
        #expect(dispute.payment == order.reference)
    }

    @Test func `a simulated cancellation at Stripe is read as a subscription that will end with its period`() throws {
        let order = stripeOrder(until: end)
        let contents = try read(stripe: stripe.messages(.cancel, of: order))
        let plan = SubscriptionPlan(items: [item], periodEnd: end)
        #expect(contents[0].kinds == [.recovered, .willEnd, .planChanged(plan)])
        #expect(contents[0].report?.reference == order.reference)
    }

    @Test(arguments: [SimulatedOrder.Occasion.renewal, .cancel])
    func `a simulated single purchase has no renewal and no cancellation`(occasion: SimulatedOrder.Occasion) {
        #expect(stripe.messages(occasion, of: stripeOrder(until: nil)).isEmpty)
        #expect(paddle.messages(occasion, of: paddleOrder(until: nil)).isEmpty)
    }

    @Test func `a simulated sale at Paddle names the buyer in a separate message`() throws {
        let order = paddleOrder(until: nil)
        let contents = try read(paddle: paddle.messages(.sale, of: order))
        guard case .customer(let customer, let buyer, _) = contents[0] else { throw Unexpected(contents[0]) }
        #expect(customer == order.customer && buyer.email == "ada@shop.example")
        guard case .lacking(.customer(customer), _) = contents[1] else { throw Unexpected(contents[1]) }
    }

    @Test func `a simulated single purchase at Paddle is read as a sale`() throws {
        let order = paddleOrder(until: nil)
        let buyer = Buyer(email: order.email, customer: order.customer)
        let contents = try read(paddle: paddle.messages(.sale, of: order), buyer)
        let sale = try #require(contents.last?.sale)
        #expect(contents.last?.report?.reference == order.reference && sale.kind == .once && sale.items == [item])
        #expect(sale.bill == Bill(order.reference, gross: gross))
    }

    @Test func `a simulated subscription at Paddle is read as a sale with a period's end`() throws {
        let order = paddleOrder(until: end)
        let buyer = Buyer(email: order.email, customer: order.customer)
        let contents = try read(paddle: paddle.messages(.sale, of: order), buyer)
        guard case .sold(let sale) = contents[1].kinds.first else { throw Unexpected(contents[1]) }
        #expect(contents[1].report?.reference == order.reference)
        #expect(sale.kind == .subscription && sale.bill.periodEnd == end)
    }

    @Test func `a simulated renewal at Paddle is read as a paid period`() throws {
        let contents = try read(paddle: paddle.messages(.renewal, of: paddleOrder(until: end)))
        guard case .periodPaid(let sale) = contents[0].kinds.first else { throw Unexpected(contents[0]) }
        #expect(sale.bill.periodEnd == end && sale.bill.gross == gross)
    }

    @Test func `a simulated refund at Paddle refunds the whole transaction`() throws {
        let order = paddleOrder(until: end)
        let contents = try read(paddle: paddle.messages(.refund, of: order))
        guard case .refunded(let refund) = contents[0].kinds.first else { throw Unexpected(contents[0]) }
        #expect(refund.payment == order.bill.reference && refund.extent == .whole && refund.amount == gross)
        #expect(contents[0].report?.reference == order.reference)
    }

    @Test func `a simulated Paddle dispute is read as a dispute of the order's transaction`() throws {
        let order = paddleOrder(until: nil)
        let contents = try read(paddle: paddle.messages(.dispute, of: order))
        #expect(contents[0].kinds == [.disputed(Dispute(order.reference, of: order.reference))])
    }

    @Test func `a simulated cancellation at Paddle is read as a subscription that will end with its period`() throws {
        let contents = try read(paddle: paddle.messages(.cancel, of: paddleOrder(until: end)))
        let plan = SubscriptionPlan(items: [item], periodEnd: end)
        #expect(contents[0].kinds == [.recovered, .willEnd, .planChanged(plan)])
    }

    @Test func `a simulated dispute decision names the dispute that was simulated before`() throws {
        let (stripeOrder, paddleOrder) = (stripeOrder(until: nil), paddleOrder(until: nil))
        let opened = try read(stripe: stripe.messages(.dispute, of: stripeOrder)).flatMap(\.kinds)
        guard case .disputed(let dispute) = opened.first else { return #expect(Bool(false)) }
        let other = StripeSimulation(named: SimulatedName(random: Array(1..<9)), at: now)
        #expect(try read(stripe: other.messages(.won, of: stripeOrder)).flatMap(\.kinds) == [.disputeWon(dispute)])
        #expect(try read(stripe: other.messages(.lost, of: stripeOrder)).flatMap(\.kinds) == [.disputeLost(dispute)])
        let won = try read(paddle: paddle.messages(.won, of: paddleOrder)).flatMap(\.kinds)
        #expect(won == [.disputeWon(Dispute(paddleOrder.reference, of: paddleOrder.reference))])
        #expect(paddle.messages(.lost, of: paddleOrder).isEmpty)
    }

    @Test func `a simulated partial refund pays back half of the payment`() throws {
        let half = Money(500, "eur")
        let order = stripeOrder(until: nil)
        let stripe = try read(stripe: stripe.messages(.partialRefund, of: order)).flatMap(\.kinds)
        #expect(stripe == [.refunded(Refund(of: order.reference, amount: half))])
        let paddle = try read(paddle: paddle.messages(.partialRefund, of: paddleOrder(until: nil))).flatMap(\.kinds)
        guard case .refunded(let refund) = paddle.first else { return #expect(Bool(false)) }
        #expect(refund.amount == half && refund.extent == .part)
    }

    @Test func `simulations with different names have different order references`() {
        let other = StripeSimulation(named: SimulatedName(random: Array(1..<9)), at: now)
        let order = other.order(of: item, to: "ada@shop.example", reference: nil, gross: gross, until: nil)
        #expect(order.reference != stripeOrder(until: nil).reference)
    }

    private struct Unexpected: Error {
        let content: MessageContent
        init(_ content: MessageContent) { self.content = content }
    }
}
