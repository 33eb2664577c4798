import TenureCommandLine
import TenureCore
import TenureSelling
import TenureServerKit
import TenureStore

extension Attention {
    /// Sources for which Stripe has never reported the payment of a subscription's invoice. A refund or a dispute
    /// couldn't be matched to its order.
    static let unnamedPayments = Attention(
        "unnamed_payments", subject: "payments",
        remedy:
            "Select `invoice_payment.paid` for the destination at Stripe: it's the only message that says which payment paid "
            + "an invoice. Until then, stop refunded licenses by hand.",
        sentence: { all, number in
            let sources = all.details.sorted().joined(separator: ", ")
            return
                "Stripe has named the payment of no invoice to \(number) sources (\(sources)), so refunds and disputes of "
                + "subscriptions don't find their orders; the first is from \(all.oldest.local)"
        },
        read: { store, now throws(StoreError) in
            var items: [Item] = []
            for source in try await store.list(Listing(PaymentSourceRow.table.all, limit: most)) {
                for isTest in [false, true] {
                    let time = try await UnnamedPayments(store: store, source: source, isTest: isTest).oldest(at: now)
                    if let time { items.add(source.tenant, since: time, source.name.text) }
                }
            }
            return items
        })
}

/// Searches the newest subscriptions of a source for invoices whose payment hasn't been reported.
private struct UnnamedPayments {
    let store: any Store
    let source: PaymentSourceRow
    let isTest: Bool

    /// How many subscriptions are examined.
    private static let most = 10
    /// How long an invoice's payment may be missing, in seconds: 30 days.
    private static let delay: Int64 = 30 * 86_400

    /// When the oldest invoice without a reported payment was paid. The result is `nil` if that was less than 30 days
    /// ago, or if the payment of any invoice has been reported.
    func oldest(at now: Timestamp) async throws(StoreError) -> Timestamp? {
        let orders = try await store.list(
            Listing(
                OrderRow.ofSource, [.of(source.tenant), .of(source.name), .of(isTest)],
                where: [[.equals("kind", OrderKind.subscription)]], limit: Self.most))
        var oldest: Timestamp?
        for row in orders {
            let facts = try await store.list(
                Listing(OrderFactRow.ofOrder, [.of(row.id)], limit: OrderRules.mostLicenses)
            ).map(\.fact)
            guard let order = Order(OrderFacts(source: row.source, reference: row.reference, facts)) else { continue }
            for payment in order.payments where payment.bill.isInvoiceOfStripe && payment.bill.gross.amount > 0 {
                if payment.bill.payment != nil { return nil }
                if payment.time.adding(seconds: Self.delay) <= now {
                    oldest = oldest.map { min($0, payment.time) } ?? payment.time
                }
            }
        }
        return oldest
    }
}

extension Bill {
    /// Whether the bill is an invoice of Stripe, which doesn't contain its payment. Refunds of Paddle refer to the bill
    /// itself.
    fileprivate var isInvoiceOfStripe: Bool { reference.text.utf8.starts(with: "in_".utf8) }
}
