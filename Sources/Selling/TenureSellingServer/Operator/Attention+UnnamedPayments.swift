import TenureCommandLine
import TenureCore
import TenureSelling
import TenureServerKit
import TenureStore

extension Attention {
    /// Sources whose subscriptions' payments Stripe has never named: a refund or a dispute wouldn't find its order.
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

/// Looks for invoices without a payment among the newest subscriptions of a source.
private struct UnnamedPayments {
    let store: any Store
    let source: PaymentSourceRow
    let isTest: Bool

    /// How many subscriptions are examined.
    private static let most = 10
    /// How long an invoice's payment may be unnamed, in seconds: 30 days.
    private static let delay: Int64 = 30 * 86_400

    /// When the oldest invoice was paid whose payment isn't known; `nil` if it's not older than 30 days, or if the payment
    /// of any invoice is known.
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
    /// Whether it's an invoice of Stripe, which doesn't name its payment. Paddle's refunds name the bill.
    fileprivate var isInvoiceOfStripe: Bool { reference.text.utf8.starts(with: "in_".utf8) }
}
