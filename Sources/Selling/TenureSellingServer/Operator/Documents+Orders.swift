import TenureCore
import TenureFormats
import TenureSelling
import TenureServerKit

extension OrderRow {
    /// The JSON form of an order in a list.
    static let document = Document<OrderRow>(
        "Order",
        [
            .text("id", "Its id.") { $0.id.description },
            .text("source", "The source of the payments.") { $0.source.text },
            .text("reference", "The provider's id: of the subscription, or of the payment of a single purchase.") {
                $0.reference.text
            },
            .choice("kind", "Whether it's paid once or again and again.") { $0.kind },
            .choice("state", "Its state.") { $0.state },
            .boolean("test", "Whether it was paid with test money.") { $0.isTest },
            .textOrNull("holderEmail", "The buyer's address.") { $0.holderEmail },
            .textOrNull("holderName", "The buyer's name.") { $0.holderName },
            .momentOrNull("paidUntil", "Until when a subscription is paid; its licenses run a little longer.") {
                $0.paidUntil
            },
            .textOrNull("renewedLicense", "The license that the purchase renewed instead of issuing one.") {
                $0.renewedLicense?.description
            },
            .dateTime("createdAt", "When Tenure first knew it.") { $0.createdAt },
        ])
}

extension ShownOrder {
    /// The JSON form of an order with its payments and lines.
    static let document = Document<ShownOrder>(
        "OrderDetails",
        OrderRow.document.members { $0.row } + [
            .list("payments", of: payment, "Its payments, oldest first.") { $0.order.payments },
            .list("lines", of: line, "What was bought.") { shown in
                shown.order.lines.enumerated().map { ($1, shown.licenses(ofLine: $0)) }
            },
        ])

    private static let payment = Document<Order.Payment>(
        nil,
        [
            .text("reference", "The provider's id of the payment, or of its bill.") {
                ($0.bill.payment ?? $0.bill.reference).text
            },
            .integer("gross", "What was paid, in the currency's minor unit.") { $0.bill.gross.amount },
            .integer("refunded", "How much of it was paid back.") { $0.refunded },
            .text("currency", "The currency, such as `eur`.") { $0.bill.gross.currency },
            .dateTime("at", "When it was paid.") { $0.time },
        ])

    private static let line = Document<(line: OrderLine, licenses: [LicenseID])>(
        nil,
        [
            .text("item", "The provider's id of the item.") { $0.line.item },
            .integer("quantity", "How many were bought.") { Int64($0.line.quantity) },
            .text("product", "The product of the licenses.") { $0.line.product.text },
            .text("policy", "Their policy.") { $0.line.policy.text },
            .init("licenses", .list(of: .text()), "The licenses.") { line, body in
                body.member("licenses", line.licenses.map(\.description))
            },
        ])
}
