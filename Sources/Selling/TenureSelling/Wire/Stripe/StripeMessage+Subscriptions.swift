import TenureCore
import TenureFormats

extension StripeMessage {
    /// Reads the current state of a subscription.
    func subscription() throws(FormatError) -> MessageContent {
        let subscription = try require(object["id"]?.id, "id")
        let facts = try type == "customer.subscription.deleted" ? [fact(.ended(at: endedAt))] : stateFacts()
        if facts.isEmpty { return .noted }
        return .order(OrderReport(reference: subscription, names: [], facts: facts))
    }

    private var endedAt: Timestamp { object["ended_at"]?.seconds ?? object["canceled_at"]?.seconds ?? time }

    private func stateFacts() throws(FormatError) -> [ReportedFact] {
        let cancels = object["cancel_at_period_end"]?.bool ?? false || object["cancel_at"]?.seconds != nil
        let cancellation = fact(cancels ? .willEnd : .willNotEnd)
        switch object["status"]?.text {
        case "active", "trialing":
            let items = object["items"]?.data ?? []
            let end = try require(
                items.compactMap { $0["current_period_end"]?.seconds }.max() ?? object["current_period_end"]?.seconds,
                "items/data/0/current_period_end")
            var facts = [fact(.recovered), cancellation]
            if type == "customer.subscription.resumed" { facts.append(fact(.resumed(until: end))) }
            // A plan without all its items can't be compared with the order's lines.
            let sold = items.compactMap(SoldItem.init(stripe:))
            if object["items"]?["has_more"]?.bool != true, !sold.isEmpty, sold.count == items.count {
                let plan = SubscriptionPlan(items: sold, periodEnd: end, bill: object["latest_invoice"]?.id)
                facts.append(fact(.planChanged(plan)))
            }
            return facts
        case "past_due", "unpaid": return [fact(.pastDue), cancellation]
        case "paused": return [fact(.paused)]
        case "canceled": return [fact(.ended(at: endedAt))]
        // While the first payment is missing, the subscription has no sale.
        default: return []
        }
    }

    /// Reads a customer whose address changed.
    func customer() -> MessageContent {
        // The former address is null for a customer who had no address.
        guard case .object(let former)? = previous, former["email"] != nil, let customer = object["id"]?.id,
            let email = object["email"]?.email
        else { return .noted }
        let buyer = Buyer(email: email, name: object["name"]?.name, customer: customer)
        return .customer(customer, buyer, fact(.addressChanged(email: email)))
    }
}
