import TenureCore
import TenureFormats

extension OrderFact {
    /// The fact as JSON, for the store: always the same bytes for the same fact.
    ///
    /// Facts of sales, buyers and changed addresses contain the buyer's address and name.
    package var encoded: [UInt8] {
        JSONWriter.object { json in
            json.member("message", report.message.text)
            json.member("time", report.time.seconds)
            json.member("kind", report.kind.name)
            json.write(report.kind)
            json.object("terms") { $0.write(terms) }
        }
    }
}

extension ReportedFact.Kind {
    /// The stored name of the kind.
    package var name: String {
        switch self {
        case .sold: "sold"
        case .trialBegun: "trialBegun"
        case .periodPaid: "periodPaid"
        case .paymentNamed: "paymentNamed"
        case .buyerNamed: "buyerNamed"
        case .planChanged: "planChanged"
        case .pastDue: "pastDue"
        case .recovered: "recovered"
        case .willEnd: "willEnd"
        case .willNotEnd: "willNotEnd"
        case .paused: "paused"
        case .resumed: "resumed"
        case .ended: "ended"
        case .refunded: "refunded"
        case .refundFailed: "refundFailed"
        case .disputed: "disputed"
        case .disputeWon: "disputeWon"
        case .disputeLost: "disputeLost"
        case .inquiry: "inquiry"
        case .addressChanged: "addressChanged"
        }
    }
}

extension JSONObjectWriter {
    fileprivate mutating func write(_ kind: ReportedFact.Kind) {
        switch kind {
        case .sold(let sale), .trialBegun(let sale), .periodPaid(let sale): object("sale") { $0.write(sale) }
        case .paymentNamed(let bill, let payment):
            member("bill", bill.text)
            member("payment", payment.text)
        case .buyerNamed(let buyer): object("buyer") { $0.write(buyer) }
        case .planChanged(let plan):
            write(plan.items)
            member("periodEnd", plan.periodEnd.seconds)
            optional("bill", plan.bill?.text)
        case .pastDue, .recovered, .willEnd, .willNotEnd, .paused: break
        case .resumed(let end): member("until", end.seconds)
        case .ended(let time): member("at", time.seconds)
        case .refunded(let refund):
            member("payment", refund.payment.text)
            optional("id", refund.id?.text)
            write(refund.amount)
            member("extent", refund.extent.name)
            if case .items(let items) = refund.extent { member("items", items.sorted()) }
        case .refundFailed(let refund):
            member("payment", refund.payment.text)
            member("id", refund.id.text)
            write(refund.amount)
        case .disputed(let dispute), .disputeWon(let dispute), .disputeLost(let dispute), .inquiry(let dispute):
            member("id", dispute.id.text)
            member("payment", dispute.payment.text)
        case .addressChanged(let email): member("email", email)
        }
    }

    private mutating func write(_ sale: Sale) {
        member("kind", sale.kind.rawValue)
        write(sale.items)
        object("buyer") { $0.write(sale.buyer) }
        object("bill") { json in
            json.member("reference", sale.bill.reference.text)
            json.optional("payment", sale.bill.payment?.text)
            json.write(sale.bill.gross)
            if let end = sale.bill.periodEnd { json.member("periodEnd", end.seconds) }
        }
    }

    private mutating func write(_ buyer: Buyer) {
        optional("email", buyer.email)
        optional("name", buyer.name)
        optional("license", buyer.license)
        optional("customer", buyer.customer?.text)
    }

    private mutating func write(_ items: [SoldItem]) {
        array("items") { list in
            for item in items {
                list.object { json in
                    json.member("item", item.item)
                    json.optional("product", item.product)
                    json.member("quantity", item.quantity)
                    json.optional("line", item.line)
                }
            }
        }
    }

    private mutating func write(_ money: Money) {
        member("amount", money.amount)
        member("currency", money.currency)
    }

    fileprivate mutating func write(_ terms: OrderFact.Terms) {
        array("lines") { list in
            for line in terms.lines {
                list.object { json in
                    json.member("item", line.item)
                    json.member("quantity", line.quantity)
                    json.member("product", line.product.text)
                    json.member("policy", line.policy.text)
                    json.member("meaning", line.meaning.rawValue)
                }
            }
        }
        member("effect", terms.effect.rawValue)
        member("slackSeconds", terms.slackSeconds)
        member("endsAtOnce", terms.endsAtOnce)
        member("test", terms.isTest)
        optional("renews", terms.renews?.description)
    }

    fileprivate mutating func optional(_ name: String, _ value: String?) {
        if let value { member(name, value) }
    }
}

extension Refund.Extent {
    fileprivate var name: String {
        switch self {
        case .whole: "whole"
        case .part: "part"
        case .items: "items"
        case .incidental: "incidental"
        }
    }
}
