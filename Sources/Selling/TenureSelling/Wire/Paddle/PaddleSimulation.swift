package import TenureCore
import TenureFormats

/// Messages in Paddle's format about simulated payments, to try out a source of test payments.
package struct PaddleSimulation: Sendable {
    private let name: SimulatedName
    private let now: Timestamp

    /// Creates a writer for the messages of one occasion. `name` determines the ids in the messages.
    ///
    /// - Parameter now: When the occasion happened.
    package init(named name: SimulatedName, at now: Timestamp) {
        self.name = name
        self.now = now
    }

    /// Returns an order for an item.
    ///
    /// - Parameters:
    ///   - reference: The id of the order; `nil` to generate one.
    ///   - end: The end of the first period; `nil` for a single purchase.
    package func order(
        of item: SoldItem, to email: String, reference: ProviderID?, gross: Money, until end: Timestamp?
    ) -> SimulatedOrder {
        let kind: OrderKind = end == nil ? .once : .subscription
        let reference = reference ?? name.id(kind == .once ? "txn" : "sub")
        let bill = kind == .once ? Bill(reference, gross: gross) : self.bill(gross: gross, until: end)
        return SimulatedOrder(
            kind, reference: reference, customer: name.id("ctm"), email: email, item: item, bill: bill)
    }

    /// Creates the bill of a subscription's period, which ends at `end`; `nil` if the licenses are perpetual.
    package func bill(gross: Money, until end: Timestamp?) -> Bill {
        Bill(name.id("txn"), gross: gross, periodEnd: end)
    }

    /// The messages in the order in which they are sent. The list is empty for the renewal or cancellation of a single
    /// purchase, and for a lost dispute.
    ///
    /// A sale doesn't name its buyer's address, so the customer's message comes first.
    package func messages(_ occasion: SimulatedOrder.Occasion, of order: SimulatedOrder) -> [SimulatedMessage] {
        switch (occasion, order.kind) {
        case (.sale, _): [customer(order), transaction(order, origin: "web")]
        case (.renewal, .subscription): [transaction(order, origin: "subscription_recurring")]
        // Paddle creates a refund as pending; it takes effect once Paddle approves it.
        case (.refund, _): [adjustment(order, "refund", in: "adjustment.updated")]
        case (.partialRefund, _): [adjustment(order, "refund", in: "adjustment.updated", isWhole: false)]
        case (.dispute, _): [adjustment(order, "chargeback", in: "adjustment.created")]
        case (.won, _): [adjustment(order, "chargeback_reverse", in: "adjustment.created")]
        // Paddle sends no message about a loss.
        case (.lost, _): []
        case (.cancel, .subscription): [cancellation(order)]
        case (.renewal, .once), (.cancel, .once): []
        }
    }

    private func event(
        _ type: String, _ number: Int = 1, _ data: (inout JSONObjectWriter) -> Void
    ) -> SimulatedMessage {
        let id = name.id("evt\(number)")
        return SimulatedMessage(
            id: id,
            body: JSONWriter.object { body in
                body.member("event_id", id.text)
                body.member("event_type", type)
                body.member("occurred_at", now.description)
                body.object("data", data)
            })
    }

    private func customer(_ order: SimulatedOrder) -> SimulatedMessage {
        event("customer.created") { customer in
            customer.member("id", order.customer.text)
            customer.member("email", order.email)
        }
    }

    private func transaction(_ order: SimulatedOrder, origin: String) -> SimulatedMessage {
        event("transaction.completed", 2) { transaction in
            transaction.member("id", order.bill.reference.text)
            transaction.member("origin", origin)
            transaction.member("customer_id", order.customer.text)
            transaction.member("currency_code", order.bill.gross.currency)
            if order.kind == .subscription { transaction.member("subscription_id", order.reference.text) }
            if let end = order.bill.periodEnd {
                transaction.object("billing_period") { $0.member("ends_at", end.description) }
            }
            transaction.items(of: order)
            transaction.object("details") { details in
                details.object("totals") { $0.member("grand_total", String(order.bill.gross.amount)) }
            }
        }
    }

    /// Creates a refund of the whole transaction or of half of it, or a chargeback.
    private func adjustment(
        _ order: SimulatedOrder, _ action: String, in type: String, isWhole: Bool = true
    ) -> SimulatedMessage {
        let amount = isWhole ? order.bill.gross.amount : order.bill.gross.amount / 2
        return event(type) { adjustment in
            adjustment.member("id", name.id("adj").text)
            adjustment.member("action", action)
            adjustment.member("status", "approved")
            adjustment.member("type", isWhole ? "full" : "partial")
            adjustment.member("transaction_id", order.bill.reference.text)
            adjustment.member("currency_code", order.bill.gross.currency)
            if order.kind == .subscription { adjustment.member("subscription_id", order.reference.text) }
            adjustment.object("totals") { $0.member("total", String(amount)) }
        }
    }

    private func cancellation(_ order: SimulatedOrder) -> SimulatedMessage {
        event("subscription.updated") { subscription in
            subscription.member("id", order.reference.text)
            subscription.member("status", "active")
            if let end = order.bill.periodEnd {
                subscription.object("current_billing_period") { $0.member("ends_at", end.description) }
            }
            subscription.object("scheduled_change") { $0.member("action", "cancel") }
            subscription.items(of: order)
        }
    }
}

extension JSONObjectWriter {
    /// Writes the items of an order; those of a subscription are recurring.
    fileprivate mutating func items(of order: SimulatedOrder) {
        array("items") { list in
            list.object { item in
                item.member("quantity", 1)
                item.object("price") { price in
                    price.member("id", order.item.item)
                    if let product = order.item.product { price.member("product_id", product) }
                    if order.kind == .subscription {
                        price.object("billing_cycle") { $0.member("frequency", 1) }
                    }
                }
            }
        }
    }
}
