import TenureCore
import TenureFormats

extension PaddleMessage {
    /// Reads a paid transaction: a sale, or a further period or proration of a subscription.
    ///
    /// - Parameter issues: Whether a further period of an unknown order counts as a sale, because an operator requested
    ///   it.
    func transaction(_ supplement: Supplement, issues: Bool) throws(FormatError) -> MessageContent {
        let transaction = try require(data["id"]?.id, "id")
        let origin = data["origin"]?.text ?? ""
        // The buyer only changed the card, so the transaction has no payment and no period.
        if origin == "subscription_payment_method_change" { return .noted }
        let items = try require(data["items"]?.elements, "items")
        let subscription = data["subscription_id"]?.id
        let recurring = items.filter { $0["price"]?["billing_cycle"] != nil }
        let isSubscription = subscription != nil || !recurring.isEmpty
        var bill = Bill(transaction, gross: try gross())
        // The first transaction may not name its subscription yet. The subscription's own event then reports the
        // period, so that no license is issued before the order's reference is known.
        if subscription != nil, recurring.contains(where: { $0["proration"] == nil }) {
            bill.periodEnd = data["billing_period"]?["ends_at"]?.time
        }
        let customer = data["customer_id"]?.id
        var buyer = supplement.buyer ?? Buyer(email: nil, customer: customer)
        buyer.license = data["custom_data"]?["license"]?.license
        let sale = Sale(isSubscription ? .subscription : .once, items: soldItems(items), buyer: buyer, bill: bill)
        let report = { (kind: ReportedFact.Kind) in
            OrderReport(
                reference: subscription ?? (isSubscription ? nil : transaction), names: [transaction],
                facts: [self.fact(kind)])
        }
        if origin.utf8.starts(with: "subscription_".utf8), !issues { return .order(report(.periodPaid(sale))) }
        let sold = report(isSubscription && bill.gross.amount == 0 ? .trialBegun(sale) : .sold(sale))
        if buyer.email == nil {
            return .lacking(.customer(try require(customer, "customer_id")), sold)
        }
        return .order(sold)
    }

    private func gross() throws(FormatError) -> Money {
        let totals = data["details"]?["totals"]
        return try money((totals?["grand_total"] ?? totals?["total"])?.amount, "details/totals/grand_total")
    }

    /// The items with the ids of their lines, by which adjustments refer to them.
    private func soldItems(_ items: [JSONValue]) -> [SoldItem] {
        var lines = (data["details"]?["line_items"]?.elements ?? []).prefix(OrderRules.mostLicenses)
        return items.compactMap { item in
            guard var sold = SoldItem(paddle: item) else { return nil }
            if let index = lines.firstIndex(where: { $0["price_id"]?.text == sold.item }) {
                sold.line = lines.remove(at: index)["id"]?.id?.text
            }
            return sold
        }
    }

    /// Reads the current state of a subscription.
    func subscription() throws(FormatError) -> MessageContent {
        let subscription = try require(data["id"]?.id, "id")
        // Only the first event about a subscription names its transaction.
        let transaction = data["transaction_id"]?.id
        let cancels = data["scheduled_change"]?["action"]?.text == "cancel"
        let cancellation = fact(cancels ? .willEnd : .willNotEnd)
        var facts: [ReportedFact]
        switch try require(data["status"]?.text, "status") {
        case "active", "trialing":
            facts = [fact(.recovered), cancellation]
            if let end = data["current_billing_period"]?["ends_at"]?.time {
                if type == "subscription.resumed" { facts.append(fact(.resumed(until: end))) }
                let items = data["items"]?.elements ?? []
                let sold = items.compactMap(SoldItem.init(paddle:))
                // A plan without all its items can't be compared with the order's lines.
                if !sold.isEmpty, sold.count == items.count {
                    let plan = SubscriptionPlan(items: sold, periodEnd: end, bill: transaction)
                    facts.append(fact(.planChanged(plan)))
                }
            }
        case "past_due": facts = [fact(.pastDue), cancellation]
        case "paused": facts = [fact(.paused)]
        case "canceled": facts = [fact(.ended(at: data["canceled_at"]?.time ?? time))]
        default: return .noted
        }
        return .order(OrderReport(reference: subscription, names: [transaction], facts: facts))
    }
}

extension SoldItem {
    /// Reads an item of a transaction or a subscription; `nil` if it names no price.
    fileprivate init?(paddle item: JSONValue) {
        guard let price = item["price"]?["id"]?.id else { return nil }
        self.init(
            price.text, product: item["price"]?["product_id"]?.id?.text, quantity: item["quantity"]?.quantity ?? 1)
    }
}
