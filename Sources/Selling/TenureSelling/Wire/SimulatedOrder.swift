/// An order to try out a source, with the content of its simulated messages.
///
/// The messages contain only the members that Tenure reads, so other programs can't use them.
package struct SimulatedOrder: Sendable, Hashable {
    /// The change that a simulated message reports.
    package enum Occasion: String, Sendable, Hashable, CaseIterable {
        /// The buyer paid for the first time.
        case sale
        /// The next period of a subscription was paid.
        case renewal
        /// The newest payment was refunded in full.
        case refund
        /// Half of the newest payment was refunded.
        case partialRefund = "partial-refund"
        /// The newest payment was disputed, so the buyer's bank took the money back.
        case dispute
        /// The dispute of the newest payment was decided in favor of the vendor.
        case won
        /// The dispute of the newest payment was decided in favor of the buyer.
        case lost
        /// The buyer cancelled the subscription, which ends with its period.
        case cancel
    }

    /// Whether the order is a single purchase or a subscription.
    package var kind: OrderKind
    /// The provider's id of the order.
    package var reference: ProviderID
    /// The provider's id of the customer.
    package var customer: ProviderID
    /// The buyer's address.
    package var email: String
    /// The item that is bought, with the quantity 1.
    package var item: SoldItem
    /// The bill that the message is about; for a subscription, the bill must have the end of a period.
    package var bill: Bill

    package init(
        _ kind: OrderKind, reference: ProviderID, customer: ProviderID, email: String, item: SoldItem, bill: Bill
    ) {
        self.kind = kind
        self.reference = reference
        self.customer = customer
        self.email = email
        self.item = item
        self.bill = bill
    }
}

/// A message as a provider would send it.
package struct SimulatedMessage: Sendable, Hashable {
    /// The provider's id of the message.
    package let id: ProviderID
    /// The body to sign and send.
    package let body: [UInt8]
}

/// The ids that a provider would give to the objects of one message.
package struct SimulatedName: Sendable, Hashable {
    let text: String

    /// Creates ids from random bytes.
    ///
    /// - Parameter random: At least 8 bytes, so that no two messages have the same ids.
    package init(random: [UInt8]) { text = "sim" + random.map(Self.letters).joined() }

    private static func letters(_ byte: UInt8) -> String {
        String(UnicodeScalar(0x61 + byte >> 4)) + String(UnicodeScalar(0x61 + byte & 15))
    }

    /// The id of an object whose type has this prefix, such as `pi`.
    ///
    /// Prefix and text have only characters of ids.
    func id(_ prefix: String) -> ProviderID {
        guard let id = ProviderID("\(prefix)_\(text)") else { preconditionFailure("\(prefix) has other characters") }
        return id
    }
}
