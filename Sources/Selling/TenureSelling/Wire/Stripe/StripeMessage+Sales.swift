import TenureCore
import TenureFormats

extension StripeMessage {
    /// Reads a completed checkout session: the sale of a single purchase, or the buyer of a subscription.
    func session(_ supplement: Supplement, _ knows: (String) -> Bool) throws(FormatError) -> MessageContent {
        let session = try require(object["id"]?.id, "id")
        let details = object["customer_details"]
        let buyer = Buyer(
            email: details?["email"]?.email ?? object["customer_email"]?.email, name: details?["name"]?.name,
            license: object["client_reference_id"]?.license, customer: object["customer"]?.id)
        let invoice = object["invoice"]?.id
        if object["mode"]?.text == "subscription" {
            let subscription = try require(object["subscription"]?.id, "subscription")
            return .order(
                OrderReport(
                    reference: subscription, names: [session, invoice], facts: [fact(.buyerNamed(buyer))]))
        }
        guard object["mode"]?.text == "payment" else { return .noted }
        let status = object["payment_status"]?.text
        guard type.hasSuffix("succeeded") || status == "paid" || status == "no_payment_required" else { return .noted }
        let payment = object["payment_intent"]?.id
        var report = OrderReport(reference: payment ?? session, names: [session, invoice], facts: [])
        guard let items = supplement.items ?? sessionItems(knows) else {
            return .lacking(.sessionItems(session), report)
        }
        let bill = Bill(session, payment: payment, gross: try money("amount_total"))
        report.facts = [fact(.sold(Sale(.once, items: items, buyer: buyer, bill: bill)))]
        return .order(report)
    }

    /// The items of a session: those that the session contains, or else the item that the metadata or the payment link
    /// names. `nil` if the event contains neither all items nor a known name.
    private func sessionItems(_ knows: (String) -> Bool) -> [SoldItem]? {
        if let lines = object["line_items"], lines["has_more"]?.bool != true, let items = lines.data {
            return items.compactMap(SoldItem.init(stripe:))
        }
        let names = [object["metadata"]?["tenure_item"]?.text, object["payment_link"]?.id?.text]
        return names.lazy.compactMap { $0 }.first(where: knows).map { [SoldItem($0)] }
    }

    /// Reads a paid invoice: the first or a further period of a subscription, or a single purchase.
    func paidInvoice(_ supplement: Supplement) throws(FormatError) -> MessageContent {
        let invoice = try require(object["id"]?.id, "id")
        let list = try require(object["lines"], "lines")
        let reason = object["billing_reason"]?.text
        let isFirst = reason == "subscription_create" || subscriptionOfInvoice == nil
        let all = list.data ?? []
        var lines = all.filter { !$0.isProration }
        // If the vendor bills on a fixed day of the month, the first period is a proration.
        if isFirst, !lines.contains(where: \.isOfSubscription) { lines = all }
        let periods = lines.filter(\.isOfSubscription)
        let bill = Bill(
            invoice, payment: payment, gross: try money(object["amount_paid"] == nil ? "total" : "amount_paid"),
            periodEnd: periods.compactMap { $0["period"]?["end"]?.seconds }.max())
        let sold = isFirst ? lines : periods
        let sale = Sale(
            subscriptionOfInvoice == nil ? .once : .subscription,
            items: supplement.items ?? sold.compactMap(SoldItem.init(stripe:)),
            buyer: Buyer(
                email: object["customer_email"]?.email, name: object["customer_name"]?.name,
                customer: object["customer"]?.id), bill: bill)
        let names = [invoice, payment, object["charge"]?.id]
        let misses = supplement.items == nil && list["has_more"]?.bool == true && (isFirst || periods.isEmpty)
        guard let subscription = subscriptionOfInvoice else {
            var single = sale
            single.bill.periodEnd = nil
            let report = OrderReport(reference: invoice, names: names, facts: [fact(.sold(single))])
            return misses ? .lacking(.invoiceItems(invoice), report) : .invoice(report)
        }
        if isFirst, !misses { _ = try require(bill.periodEnd, "lines/data/0/period/end") }
        let kind: ReportedFact.Kind =
            !isFirst ? .periodPaid(sale) : bill.gross.amount == 0 ? .trialBegun(sale) : .sold(sale)
        let report = OrderReport(reference: subscription, names: names, facts: [fact(kind)])
        return misses ? .lacking(.invoiceItems(invoice), report) : .order(report)
    }

    /// Reads which payment paid an invoice. Without this report, a later refund couldn't be matched to its
    /// subscription.
    func invoicePayment() throws(FormatError) -> MessageContent {
        let invoice = try require(object["invoice"]?.id, "invoice")
        guard let payment = object["payment"]?["payment_intent"]?.id ?? object["payment"]?["charge"]?.id else {
            return .noted
        }
        return .order(
            OrderReport(
                reference: nil, names: [invoice, payment], facts: [fact(.paymentNamed(bill: invoice, payment: payment))]
            ))
    }

    /// Reads an invoice whose payment failed. Stripe then tries the payment again.
    func failedInvoice() -> MessageContent {
        guard let subscription = subscriptionOfInvoice else { return .noted }
        return .order(
            OrderReport(reference: subscription, names: [object["id"]?.id], facts: [fact(.pastDue)]))
    }

    private var subscriptionOfInvoice: ProviderID? {
        object["parent"]?["subscription_details"]?["subscription"]?.id ?? object["subscription"]?.id
    }

    /// The payment of an invoice: from the list that the endpoint expands or, before the API version basil, from a
    /// member. `nil` if neither names one.
    private var payment: ProviderID? {
        let listed = object["payments"]?.data?.lazy.compactMap { $0["payment"]?["payment_intent"]?.id }.first
        return listed ?? object["payment_intent"]?.id
    }
}

extension JSONValue {
    /// Whether an invoice line is only a proration: a charge or credit for a change in the middle of a billing period.
    fileprivate var isProration: Bool {
        let parent = self["parent"]
        let details = parent?["subscription_item_details"] ?? parent?["invoice_item_details"]
        return (details?["proration"] ?? self["proration"])?.bool ?? false
    }

    /// Whether an invoice line is a period of a subscription's item.
    fileprivate var isOfSubscription: Bool {
        if let parent = self["parent"] { return parent["subscription_item_details"] != nil }
        return self["type"]?.text == "subscription"
    }
}

extension SoldItem {
    /// Reads a line of an invoice or a session, or an item of a subscription; `nil` if it names no price.
    init?(stripe line: JSONValue) {
        let details = line["pricing"]?["price_details"]
        guard let price = details?["price"]?.id ?? line["price"]?.id else { return nil }
        self.init(
            price.text, product: (details?["product"] ?? line["price"]?["product"])?.id?.text,
            quantity: line["quantity"]?.quantity ?? 1)
    }
}
