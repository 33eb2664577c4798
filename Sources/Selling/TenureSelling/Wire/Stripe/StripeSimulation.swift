package import TenureCore
import TenureFormats

/// Messages in Stripe's format about simulated payments, to try out a source of test payments.
package struct StripeSimulation: Sendable {
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
        let reference = reference ?? name.id(kind == .once ? "pi" : "sub")
        let bill =
            kind == .once
            ? Bill(name.id("cs"), payment: reference, gross: gross) : self.bill(gross: gross, until: end)
        return SimulatedOrder(
            kind, reference: reference, customer: name.id("cus"), email: email, item: item, bill: bill)
    }

    /// Creates the bill of a subscription's period, which ends at `end`; `nil` if the licenses are perpetual.
    package func bill(gross: Money, until end: Timestamp?) -> Bill {
        Bill(name.id("in"), payment: name.id("pi"), gross: gross, periodEnd: end)
    }

    /// The messages in the order in which they are sent. The list is empty for the renewal or cancellation of a single
    /// purchase.
    package func messages(_ occasion: SimulatedOrder.Occasion, of order: SimulatedOrder) -> [SimulatedMessage] {
        let payment = order.bill.payment ?? order.bill.reference
        switch (occasion, order.kind) {
        case (.sale, .once): return [session(order, payment)]
        case (.sale, .subscription): return [invoice(order, "subscription_create"), invoicePayment(order, payment)]
        case (.renewal, .subscription): return [invoice(order, "subscription_cycle"), invoicePayment(order, payment)]
        case (.refund, _): return [refund(order, payment, order.bill.gross.amount)]
        case (.partialRefund, _): return [refund(order, payment, order.bill.gross.amount / 2)]
        case (.dispute, _): return [dispute("created", payment, "needs_response")]
        case (.won, _): return [dispute("closed", payment, "won")]
        case (.lost, _): return [dispute("closed", payment, "lost")]
        case (.cancel, .subscription): return [cancellation(order)]
        case (.renewal, .once), (.cancel, .once): return []
        }
    }

    private func event(
        _ type: String, _ number: Int = 1, _ object: (inout JSONObjectWriter) -> Void
    ) -> SimulatedMessage {
        let id = name.id("evt\(number)")
        return SimulatedMessage(
            id: id,
            body: JSONWriter.object { body in
                body.member("id", id.text)
                body.member("object", "event")
                body.member("created", now.seconds)
                body.member("livemode", false)
                body.member("type", type)
                body.object("data") { $0.object("object", object) }
            })
    }

    private func session(_ order: SimulatedOrder, _ payment: ProviderID) -> SimulatedMessage {
        event("checkout.session.completed") { session in
            session.member("id", order.bill.reference.text)
            session.member("mode", "payment")
            session.member("payment_status", "paid")
            session.member("payment_intent", payment.text)
            session.member("customer", order.customer.text)
            session.object("customer_details") { $0.member("email", order.email) }
            session.member("amount_total", order.bill.gross.amount)
            session.member("currency", order.bill.gross.currency)
            session.object("line_items") { lines in
                lines.member("has_more", false)
                lines.array("data") { $0.object { line in line.price(of: order.item) } }
            }
        }
    }

    private func invoice(_ order: SimulatedOrder, _ reason: String) -> SimulatedMessage {
        event("invoice.paid") { invoice in
            invoice.member("id", order.bill.reference.text)
            invoice.member("billing_reason", reason)
            invoice.member("amount_paid", order.bill.gross.amount)
            invoice.member("currency", order.bill.gross.currency)
            invoice.member("customer", order.customer.text)
            invoice.member("customer_email", order.email)
            invoice.object("parent") { parent in
                parent.object("subscription_details") { $0.member("subscription", order.reference.text) }
            }
            invoice.object("lines") { lines in
                lines.member("has_more", false)
                lines.array("data") { list in
                    list.object { line in
                        line.price(of: order.item)
                        line.object("parent") { parent in
                            parent.object("subscription_item_details") { $0.member("proration", false) }
                        }
                        line.object("period") { $0.member("end", order.bill.periodEnd?.seconds) }
                    }
                }
            }
        }
    }

    private func invoicePayment(_ order: SimulatedOrder, _ payment: ProviderID) -> SimulatedMessage {
        event("invoice_payment.paid", 2) { paid in
            paid.member("invoice", order.bill.reference.text)
            paid.object("payment") { $0.member("payment_intent", payment.text) }
        }
    }

    private func refund(_ order: SimulatedOrder, _ payment: ProviderID, _ amount: Int64) -> SimulatedMessage {
        event("charge.refunded") { charge in
            charge.member("id", name.id("ch").text)
            charge.member("payment_intent", payment.text)
            charge.member("amount_refunded", amount)
            charge.member("currency", order.bill.gross.currency)
            charge.member("refunded", amount == order.bill.gross.amount)
        }
    }

    /// Creates a message about the payment's dispute. The dispute has the payment's id, so that all messages about it
    /// refer to the same dispute.
    private func dispute(_ change: String, _ payment: ProviderID, _ status: String) -> SimulatedMessage {
        event("charge.dispute.\(change)") { dispute in
            dispute.member("id", payment.text)
            dispute.member("payment_intent", payment.text)
            dispute.member("status", status)
        }
    }

    private func cancellation(_ order: SimulatedOrder) -> SimulatedMessage {
        event("customer.subscription.updated") { subscription in
            subscription.member("id", order.reference.text)
            subscription.member("status", "active")
            subscription.member("cancel_at_period_end", true)
            subscription.object("items") { items in
                items.member("has_more", false)
                items.array("data") { list in
                    list.object { item in
                        item.price(of: order.item)
                        item.member("current_period_end", order.bill.periodEnd?.seconds)
                    }
                }
            }
        }
    }
}

extension JSONObjectWriter {
    /// Writes the price of an item with the quantity 1.
    fileprivate mutating func price(of item: SoldItem) {
        member("quantity", 1)
        object("price") { price in
            price.member("id", item.item)
            if let product = item.product { price.member("product", product) }
        }
    }
}
