/// The content of a provider's message, as far as a source uses it.
package enum MessageContent: Sendable, Hashable {
    /// The source doesn't use messages of this type.
    case unused
    /// The type is used, but this message reports nothing about an order.
    case noted
    /// Facts of one order.
    case order(OrderReport)
    /// An invoice of a single purchase. If a checkout session names the invoice, the session counts as the sale. If no
    /// such session arrives within ``MessageContent/invoiceDelaySeconds``, the invoice counts as the sale.
    case invoice(OrderReport)
    /// A customer's address and name. The fact applies to all orders of the customer; the buyer is stored for later
    /// sales.
    case customer(ProviderID, Buyer, ReportedFact)
    /// Facts of an order that lack a part. The caller requests the part from the provider's API, and reads the message
    /// again with the response.
    case lacking(MissingPart, OrderReport)

    /// How long an invoice waits for its checkout session, in seconds: an hour.
    package static let invoiceDelaySeconds: Int64 = 3_600
}

/// Facts of one order.
package struct OrderReport: Sendable, Hashable {
    /// The order's reference; `nil` if only another message contains it, as for a refund.
    ///
    /// Until that message arrives, the facts are stored under ``names``. No license is issued without the reference,
    /// because its key is derived from it.
    package var reference: ProviderID?
    /// All ids by which messages refer to the order, including its reference: its bills, payments and sessions.
    ///
    /// Two reports with a common id are about the same order.
    package var names: [ProviderID]
    /// The facts; empty if the message only links ids of the order.
    package var facts: [ReportedFact]

    package init(reference: ProviderID?, names: [ProviderID?], facts: [ReportedFact]) {
        self.reference = reference
        self.names = []
        for name in [reference] + names {
            if let name, !self.names.contains(name) { self.names.append(name) }
        }
        self.facts = facts
    }

    /// The facts with each paid period turned into a sale, for an order that an operator allows to issue licenses.
    package var issuing: [ReportedFact] {
        facts.map { fact in
            guard case .periodPaid(let sale) = fact.kind else { return fact }
            return ReportedFact(message: fact.message, time: fact.time, .sold(sale))
        }
    }
}

/// A part that a message lacks, and that the provider's API can return.
package enum MissingPart: Sendable, Hashable {
    /// The items of this checkout session.
    case sessionItems(ProviderID)
    /// All lines of this invoice, of which the message has only the first.
    case invoiceItems(ProviderID)
    /// The address of this customer.
    case customer(ProviderID)
}

/// Facts that an earlier message or the provider's API adds to a message.
package struct Supplement: Sendable, Hashable {
    package var items: [SoldItem]?
    package var buyer: Buyer?

    package init(items: [SoldItem]? = nil, buyer: Buyer? = nil) {
        self.items = items
        self.buyer = buyer
    }
}
