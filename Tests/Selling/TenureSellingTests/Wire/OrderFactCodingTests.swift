import GoldenFiles
import TenureCore
import TenureFormats
import TenureSelling
import Testing

@Suite struct OrderFactCodingTests {
    /// A fact of each kind with all its members.
    static let facts: [OrderFact] = {
        let dispute = Dispute.first
        let refund = Refund(of: .of("pi_1"), id: .of("re_1"), amount: Money(1_000, "eur"), extent: .items(["b", "a"]))
        let sale = Sale(
            .subscription, items: [SoldItem("price_year", product: "prod_notes", quantity: 2, line: "txnitm_1")],
            buyer: Buyer(email: "ada@example.com", name: "Ada", license: "lic_1", customer: .of("cus_1")),
            bill: .of("pi_1", 1_000, until: 30))
        let plan = SubscriptionPlan(items: [SoldItem("price_team")], periodEnd: OrderShop.start, bill: .of("in_1"))
        let kinds: [ReportedFact.Kind] = [
            .sold(sale), .trialBegun(sale), .periodPaid(sale), .paymentNamed(bill: .of("in_1"), payment: .of("pi_1")),
            .buyerNamed(sale.buyer), .planChanged(plan), .pastDue, .recovered, .willEnd, .willNotEnd, .paused,
            .resumed(until: OrderShop.start), .ended(at: OrderShop.start), .refunded(refund), .refund(),
            .refund(whole: false),
            .refunded(Refund(of: .of("pi_1"), id: .of("re_2"), amount: Money(1, "eur"), extent: .incidental)),
            .failedRefund(), .disputed(dispute), .disputeWon(dispute), .disputeLost(dispute), .inquiry(dispute),
            .addressChanged(email: "ada@new.example"),
        ]
        var terms = OrderFact.Terms()
        terms.lines = [
            OrderLine(
                item: "price_year", quantity: 2, product: OrderShop.product, policy: OrderShop.yearly, meaning: .devices
            )
        ]
        terms.effect = .revoke
        terms.slackSeconds = 259_200
        terms.endsAtOnce = true
        terms.isTest = true
        terms.renews = LicenseID(number: 77)
        return kinds.enumerated().map { OrderFact(ReportedFact($1, day: $0), terms: terms) }
    }()

    @Test(arguments: facts.indices) func `a stored order fact is read back unchanged`(_ index: Int) throws {
        let fact = Self.facts[index]
        let read = try OrderFact(decoding: fact.encoded)
        #expect(read == fact && read.encoded == fact.encoded)
    }

    @Test func `every kind of order fact is stored with the golden file's bytes`() throws {
        try GoldenFile("order-facts.json").compare(
            lines: Self.facts.map { String(decoding: $0.encoded, as: UTF8.self) })
    }

    @Test
    func `a truncated order fact is an error, and one with a changed byte is an error or has as many lines as before`()
        throws
    {
        for fact in Self.facts {
            let bytes = fact.encoded
            #expect(throws: FormatError.self) { try OrderFact(decoding: Array(bytes.dropLast())) }
            var generator = SeededGenerator(state: UInt64(bytes.count))
            for _ in 0..<50 {
                var copy = bytes
                copy[Int.random(in: copy.indices, using: &generator)] = UInt8.random(in: 0x20...0x7E, using: &generator)
                if let read = try? OrderFact(decoding: copy) { #expect(read.terms.lines.count == 1) }
            }
        }
    }

    @Test func `a stored order fact with a line of more than 1,000 licenses is an error`() {
        let text = String(decoding: Self.facts[0].encoded, as: UTF8.self)
        let larger = text.replacing(
            "\"quantity\":2,\"product\":\"notes\"", with: "\"quantity\":1001,\"product\":\"notes\""
        )
        .replacing("\"devices\"", with: "\"licenses\"")
        #expect(larger != text && fails(larger))
    }

    private func fails(_ text: String) -> Bool { (try? OrderFact(decoding: Array(text.utf8))) == nil }
}
