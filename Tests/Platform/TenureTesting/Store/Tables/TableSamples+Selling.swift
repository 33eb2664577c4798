import TenureCore
import TenureSelling
import TenureSellingServer
import TenureServerKit
import TenureStore

/// Samples of the tables about payments.
extension TableSample {
    private static let source: SourceID = {
        guard let source = SourceID("stripe") else { preconditionFailure("\"stripe\" is no source's id") }
        return source
    }()
    private static let order = number(7) as OrderID
    private static let message = number(9) as PaymentMessageID

    private static let fact = OrderFact(
        ReportedFact(message: id("evt_1"), time: first, .pastDue), terms: OrderFact.Terms())

    static let selling: [TableSample] = [
        TableSample(
            PaymentSourceRow(tenant: Sample.acme, name: source, sealed: [7]),
            ["tenant": .text("acme"), "source": .text("stripe"), "sealed": .blob([7])],
            bare: PaymentSourceRow(tenant: Sample.bolt, name: source, sealed: [])),
        TableSample(
            PaymentMessage(
                id: message, tenant: Sample.acme, source: source, message: "evt_1", type: "invoice.paid",
                state: .parked, reason: .itemUnmapped, detail: "price_1", order: "sub_1", happenedAt: first,
                receivedAt: first.adding(seconds: 1), changedAt: first.adding(seconds: 2)),
            [
                "id": .integer(9), "tenant": .text("acme"), "source": .text("stripe"), "message": .text("evt_1"),
                "type": .text("invoice.paid"), "state": .text("parked"), "reason": .text("item_unmapped"),
                "detail": .text("price_1"), "order_reference": .text("sub_1"), "happened_at": .integer(1_000),
                "received_at": .integer(1_001), "changed_at": .integer(1_002),
            ],
            bare: PaymentMessage(
                id: number(10), tenant: Sample.acme, source: source, message: "evt_2", type: "-", happenedAt: first,
                receivedAt: first, changedAt: first)),
        TableSample(
            PaymentMessageBody(message: message, tenant: Sample.acme, sealed: [8], receivedAt: first),
            [
                "message": .integer(9), "tenant": .text("acme"), "sealed": .blob([8]), "received_at": .integer(1_000),
            ]),
        TableSample(
            PaymentCustomerRow(
                tenant: Sample.acme, source: source, customer: id("cus_1"), email: "ada@shop.example", name: "Ada",
                changedAt: first),
            [
                "tenant": .text("acme"), "source": .text("stripe"), "customer": .text("cus_1"),
                "email": .text("ada@shop.example"), "name": .text("Ada"), "changed_at": .integer(1_000),
            ],
            bare: PaymentCustomerRow(
                tenant: Sample.acme, source: source, customer: id("cus_2"), email: nil, name: nil, changedAt: first)),
        TableSample(
            OrderRow(
                id: order, tenant: Sample.acme, source: source, reference: id("sub_1"), kind: .subscription,
                state: .pastDue, isTest: true, holderEmail: "Ada@Shop.example", holderName: "Ada",
                customer: id("cus_1"),
                paidUntil: first.adding(days: 1), renewedLicense: Sample.id(5), addedSeconds: 86_400,
                createdAt: first, changedAt: first.adding(seconds: 3)),
            [
                "id": .integer(7), "tenant": .text("acme"), "source": .text("stripe"), "reference": .text("sub_1"),
                "kind": .text("subscription"), "state": .text("past_due"), "is_test": .flag(true),
                "holder_email": .text("Ada@Shop.example"), "holder_name": .text("Ada"), "customer": .text("cus_1"),
                "paid_until": .integer(87_400), "renewed_license": .integer(5), "added_seconds": .integer(86_400),
                "created_at": .integer(1_000), "changed_at": .integer(1_003),
                "holder_email_folded": .text("ada@shop.example"),
            ],
            bare: OrderRow(
                id: number(8), tenant: Sample.acme, source: source, reference: id("pi_1"), kind: .once, state: .paid,
                isTest: false, holderEmail: nil, holderName: nil, customer: nil, paidUntil: nil, createdAt: first,
                changedAt: first)),
        TableSample(
            OrderNameRow(tenant: Sample.acme, source: source, name: id("in_1"), order: order, isReference: true),
            [
                "tenant": .text("acme"), "source": .text("stripe"), "name": .text("in_1"), "order_id": .integer(7),
                "is_reference": .flag(true),
            ]),
        TableSample(
            OrderFactRow(order: order, tenant: Sample.acme, fact: fact),
            [
                "order_id": .integer(7), "tenant": .text("acme"), "fact": .text("status"),
                "payload": .text(String(decoding: fact.encoded, as: UTF8.self)),
            ]),
        TableSample(
            OrderLicenseRow(order: order, tenant: Sample.acme, line: 1, number: 2, license: Sample.id(5)),
            [
                "order_id": .integer(7), "tenant": .text("acme"), "line": .integer(1), "number": .integer(2),
                "license_id": .integer(5),
            ]),
    ]

    private static func number<Named>(_ number: Int64) -> NumberedID<Named> {
        guard let id = NumberedID<Named>(number: number) else { preconditionFailure("\(number) is negative") }
        return id
    }

    private static func id(_ text: String) -> ProviderID {
        guard let id = ProviderID(text) else { preconditionFailure("\(text) is no provider's id") }
        return id
    }
}
