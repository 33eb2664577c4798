/// A refund of a payment, in full or in part.
package struct Refund: Sendable, Hashable {
    /// The payment or the bill whose money was paid back.
    package var payment: ProviderID
    /// The provider's id of this refund; `nil` if ``amount`` is the sum of all refunds of the payment so far.
    package var id: ProviderID?
    /// The amount of this refund, or the sum of all refunds so far.
    package var amount: Money
    /// The part of the payment that was paid back.
    package var extent: Extent

    package init(of payment: ProviderID, id: ProviderID? = nil, amount: Money, extent: Extent = .part) {
        self.payment = payment
        self.id = id
        self.amount = amount
        self.extent = extent
    }

    /// The part of a payment that a refund pays back.
    package enum Extent: Sendable, Hashable {
        /// The whole payment, according to the provider.
        case whole
        /// A part; several parts may make up the whole payment.
        case part
        /// The full price of the items with these ids (``SoldItem/item`` or ``SoldItem/line``), and perhaps parts of
        /// other items.
        case items(Set<String>)
        /// Only taxes or a proration, not the price of an item.
        case incidental
    }
}

/// A refund that didn't reach the buyer.
package struct FailedRefund: Sendable, Hashable {
    /// The payment or the bill of the refund.
    package var payment: ProviderID
    /// The provider's id of the refund.
    package var id: ProviderID
    /// The amount that went back to the vendor.
    package var amount: Money

    package init(of payment: ProviderID, id: ProviderID, amount: Money) {
        self.payment = payment
        self.id = id
        self.amount = amount
    }
}

/// A dispute, also called a chargeback.
package struct Dispute: Sendable, Hashable {
    /// The provider's id of the dispute.
    package var id: ProviderID
    /// The disputed payment or bill.
    package var payment: ProviderID

    package init(_ id: ProviderID, of payment: ProviderID) {
        self.id = id
        self.payment = payment
    }
}
