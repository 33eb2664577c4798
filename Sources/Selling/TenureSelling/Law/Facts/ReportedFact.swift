package import TenureCore

/// A fact about an order that a provider's message reports, before the source's rules are applied.
package struct ReportedFact: Sendable, Hashable {
    /// The provider's id of the message.
    package let message: ProviderID

    /// The provider's time of the message, in whole seconds.
    package let time: Timestamp

    /// The change that the message reports, such as a sale or a refund.
    package var kind: Kind

    package init(message: ProviderID, time: Timestamp, _ kind: Kind) {
        self.message = message
        self.time = time
        self.kind = kind
    }

    /// The kinds of facts about an order, such as a sale or a refund.
    package enum Kind: Sendable, Hashable {
        /// The order's items were paid for the first time.
        case sold(Sale)
        /// A trial of a subscription began; its bill has the amount 0 and ends with the trial.
        case trialBegun(Sale)
        /// A bill of a subscription was paid: for a further period or, if the bill has no period's end, for a
        /// proration.
        ///
        /// The items and the buyer are used only if an operator lets an unknown order issue licenses.
        case periodPaid(Sale)
        /// This payment paid the bill.
        case paymentNamed(bill: ProviderID, payment: ProviderID)
        /// The buyer's address and name, for a sale that doesn't contain them.
        case buyerNamed(Buyer)
        /// The current items of an active subscription. The items or their quantities may have changed.
        case planChanged(SubscriptionPlan)
        /// A payment failed, and the provider tries again.
        case pastDue
        /// The subscription is active: no payment is overdue.
        case recovered
        /// The subscription is cancelled and ends with its period.
        case willEnd
        /// The subscription isn't cancelled, so it continues after its period.
        case willNotEnd
        /// The subscription is paused.
        case paused
        /// The subscription is active again, until this end of the period.
        case resumed(until: Timestamp)
        /// The subscription has ended, at this time.
        case ended(at: Timestamp)
        /// A payment was refunded in full or in part.
        case refunded(Refund)
        /// A refund failed, so the money went back to the vendor.
        case refundFailed(FailedRefund)
        /// A dispute was opened: the buyer's bank took the money back, and the vendor may object.
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

package struct Buyer: Sendable, Hashable {
    /// The address; `nil` if the message doesn't name one.
    package var email: String?
    /// The name; `nil` if the message doesn't name one.
    package var name: String?
    /// The license to renew, according to the buyer's link; not to be trusted. `nil` if there is none.
    package var license: String?
    /// The provider's id of the customer; `nil` if the message doesn't name one.
    package var customer: ProviderID?

    package init(email: String?, name: String? = nil, license: String? = nil, customer: ProviderID? = nil) {
        self.email = email
        self.name = name
        self.license = license
        self.customer = customer
    }
}

/// A sale, or a paid period of a subscription.
package struct Sale: Sendable, Hashable {
    package var kind: OrderKind
    /// The items that the buyer bought.
    package var items: [SoldItem]
    package var buyer: Buyer
    /// The bill that was paid.
    package var bill: Bill

    package init(_ kind: OrderKind, items: [SoldItem], buyer: Buyer, bill: Bill) {
        self.kind = kind
        self.items = items
        self.buyer = buyer
        self.bill = bill
    }
}

/// Whether an order is a single purchase or a subscription.
package enum OrderKind: String, Sendable, Hashable, CaseIterable {
    case once
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
    /// The end of the period that the bill pays for.
    ///
    /// It's `nil` for a single purchase and for a proration. It's also `nil` for the first bill of a subscription if a
    /// ``SubscriptionPlan`` reports the period instead.
    package var periodEnd: Timestamp?

    package init(_ reference: ProviderID, payment: ProviderID? = nil, gross: Money, periodEnd: Timestamp? = nil) {
        self.reference = reference
        self.payment = payment
        self.gross = gross
        self.periodEnd = periodEnd
    }
}

/// An item of a sale or of a subscription.
package struct SoldItem: Sendable, Hashable {
    /// The provider's id of the price, or another name of the item in the catalog.
    package var item: String
    /// The provider's id of the product; `nil` if it's unknown.
    package var product: String?
    /// The number of units that the buyer bought.
    package var quantity: Int
    /// The provider's id of the line within its bill, by which refunds refer to it; `nil` if they refer to the item.
    package var line: String?

    package init(_ item: String, product: String? = nil, quantity: Int = 1, line: String? = nil) {
        self.item = item
        self.product = product
        self.quantity = quantity
        self.line = line
    }
}

/// The items of a subscription at a certain time.
package struct SubscriptionPlan: Sendable, Hashable {
    /// The items with their quantities.
    package var items: [SoldItem]
    /// The end of the current period.
    package var periodEnd: Timestamp
    /// The bill that must be paid before the plan takes effect, and that pays for its period; `nil` if the plan takes
    /// effect at once.
    package var bill: ProviderID?

    package init(items: [SoldItem], periodEnd: Timestamp, bill: ProviderID? = nil) {
        self.items = items
        self.periodEnd = periodEnd
        self.bill = bill
    }
}

extension ReportedFact.Kind {
    /// The items of a sale, a paid period or a plan; `nil` for other facts.
    var items: [SoldItem]? {
        switch self {
        case .sold(let sale), .trialBegun(let sale), .periodPaid(let sale): sale.items
        case .planChanged(let plan): plan.items
        default: nil
        }
    }
}
