package import TenureCore

/// What a provider's message reports about an order, before the source's rules are applied to it.
package struct ReportedFact: Sendable, Hashable {
    /// The provider's id of the message.
    package let message: ProviderID

    /// The provider's time of the message, in whole seconds.
    package let time: Timestamp

    /// What happened.
    package var kind: Kind

    /// Creates a fact.
    package init(message: ProviderID, time: Timestamp, _ kind: Kind) {
        self.message = message
        self.time = time
        self.kind = kind
    }

    /// What happened to an order.
    package enum Kind: Sendable, Hashable {
        /// The order's items were paid for the first time.
        case sold(Sale)
        /// A trial of a subscription began; its bill has the amount 0 and ends with the trial.
        case trialBegun(Sale)
        /// A bill of a subscription was paid: a further period, or without a period's end a proration.
        ///
        /// The items and the buyer are used only if an operator lets an unknown order issue licenses.
        case periodPaid(Sale)
        /// A bill was paid by this payment.
        case paymentNamed(bill: ProviderID, payment: ProviderID)
        /// Who the buyer is, if the sale doesn't say.
        case buyerNamed(Buyer)
        /// The items of an active subscription, which may have changed, or their quantities.
        case planChanged(SubscriptionPlan)
        /// A payment failed, and the provider tries again.
        case pastDue
        /// The subscription is active.
        case recovered
        /// The subscription ends with its period.
        case willEnd
        /// The subscription doesn't end with its period.
        case willNotEnd
        /// The subscription is paused.
        case paused
        /// The subscription is active again, until this end of the period.
        case resumed(until: Timestamp)
        /// The subscription has ended, at this time.
        case ended(at: Timestamp)
        /// Money was paid back.
        case refunded(Refund)
        /// A refund didn't reach the buyer, so the vendor has the money again.
        case refundFailed(FailedRefund)
        /// The buyer's bank took the money back, and the vendor may object.
        case disputed(Dispute)
        /// The dispute was decided in favor of the vendor.
        case disputeWon(Dispute)
        /// The dispute was decided in favor of the buyer.
        case disputeLost(Dispute)
        /// The buyer's bank asks about the payment; no money moved.
        case inquiry(Dispute)
        /// The buyer changed the address at the provider.
        case addressChanged(email: String)
    }
}

/// The buyer of an order.
package struct Buyer: Sendable, Hashable {
    /// The address; `nil` if the message doesn't name one.
    package var email: String?
    /// The name; `nil` if the message doesn't name one.
    package var name: String?
    /// The license that a purchase is to renew, as the buyer's link said; not to be trusted.
    package var license: String?
    /// The provider's id of the customer; `nil` if the message doesn't name one.
    package var customer: ProviderID?

    /// Creates a buyer.
    package init(email: String?, name: String? = nil, license: String? = nil, customer: ProviderID? = nil) {
        self.email = email
        self.name = name
        self.license = license
        self.customer = customer
    }
}

/// A sale, or a paid period of a subscription.
package struct Sale: Sendable, Hashable {
    /// Whether the order is paid once or again and again.
    package var kind: OrderKind
    /// What was bought.
    package var items: [SoldItem]
    /// Who bought it.
    package var buyer: Buyer
    /// What was paid.
    package var bill: Bill

    /// Creates a sale.
    package init(_ kind: OrderKind, items: [SoldItem], buyer: Buyer, bill: Bill) {
        self.kind = kind
        self.items = items
        self.buyer = buyer
        self.bill = bill
    }
}

/// Whether an order is paid once or again and again.
package enum OrderKind: String, Sendable, Hashable, CaseIterable {
    /// A single purchase.
    case once
    /// A subscription.
    case subscription
}

/// A provider's bill: an invoice, a transaction, or the checkout session of a single purchase.
package struct Bill: Sendable, Hashable {
    /// The provider's id of the bill.
    package var reference: ProviderID
    /// The payment of the bill, to which refunds and disputes belong; `nil` if another message names it.
    package var payment: ProviderID?
    /// The amount that was paid, with taxes.
    package var gross: Money
    /// The end of the period that the bill pays for; `nil` for a single purchase, for a proration, and for the first bill
    /// of a subscription if a ``SubscriptionPlan`` with this bill names it.
    package var periodEnd: Timestamp?

    /// Creates a bill.
    package init(_ reference: ProviderID, payment: ProviderID? = nil, gross: Money, periodEnd: Timestamp? = nil) {
        self.reference = reference
        self.payment = payment
        self.gross = gross
        self.periodEnd = periodEnd
    }
}

/// An item of a sale or of a subscription.
package struct SoldItem: Sendable, Hashable {
    /// The provider's id of the price, or what else names the item in the catalog.
    package var item: String
    /// The provider's id of the product; `nil` if it's unknown.
    package var product: String?
    /// How many were bought.
    package var quantity: Int
    /// The provider's id of the line within its bill, by which refunds name it; `nil` if they name the item.
    package var line: String?

    /// Creates an item.
    package init(_ item: String, product: String? = nil, quantity: Int = 1, line: String? = nil) {
        self.item = item
        self.product = product
        self.quantity = quantity
        self.line = line
    }
}

/// The items of a subscription at a time.
package struct SubscriptionPlan: Sendable, Hashable {
    /// The items with their quantities.
    package var items: [SoldItem]
    /// The end of the period.
    package var periodEnd: Timestamp
    /// The bill that must be paid before a change counts, and whose period this is; `nil` if it counts at once.
    package var bill: ProviderID?

    /// Creates a plan.
    package init(items: [SoldItem], periodEnd: Timestamp, bill: ProviderID? = nil) {
        self.items = items
        self.periodEnd = periodEnd
        self.bill = bill
    }
}

extension ReportedFact.Kind {
    /// The items that were bought; `nil` for a fact that names none.
    var items: [SoldItem]? {
        switch self {
        case .sold(let sale), .trialBegun(let sale), .periodPaid(let sale): sale.items
        case .planChanged(let plan): plan.items
        default: nil
        }
    }
}
