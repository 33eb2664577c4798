/// What a provider's message means for a source.
package enum MessageContent: Sendable, Hashable {
    /// The source doesn't use messages of this type.
    case unused
    /// The type is used, but this message reports nothing about an order.
    case noted
    /// Facts of one order.
    case order(OrderReport)
    /// An invoice of a single purchase. If a checkout session names it, that session is the sale; without one within
    /// ``MessageContent/invoiceDelaySeconds``, this report is.
    case invoice(OrderReport)
    /// A customer's address and name. The fact concerns all orders of the customer; later sales need the buyer.
    case customer(ProviderID, Buyer, ReportedFact)
    /// Facts that can't be read without more; ask the provider's API, and read the message again with the response.
    case lacking(MissingPart, OrderReport)

    /// How long an invoice waits for its checkout session, in seconds: an hour.
    package static let invoiceDelaySeconds: Int64 = 3_600
}

/// Facts of one order.
package struct OrderReport: Sendable, Hashable {
    /// The order's reference; `nil` if only another message tells it, such as a refund's order.
    ///
    /// Until then, the facts wait under ``names``: no license is issued without the reference, from which its key follows.
    package var reference: ProviderID?
    /// All ids by which messages name the order, the reference included: its bills, payments and sessions.
    ///
    /// Two reports with a common name are about the same order.
    package var names: [ProviderID]
    /// The facts; empty if the message only joins names.
    package var facts: [ReportedFact]

    /// Creates a report.
    package init(reference: ProviderID?, names: [ProviderID?], facts: [ReportedFact]) {
        self.reference = reference
        self.names = []
        for name in [reference] + names {
            if let name, !self.names.contains(name) { self.names.append(name) }
        }
        self.facts = facts
    }

    /// The facts with every paid period as a sale, for an order that an operator lets issue licenses.
    package var issuing: [ReportedFact] {
        facts.map { fact in
            guard case .periodPaid(let sale) = fact.kind else { return fact }
            return ReportedFact(message: fact.message, time: fact.time, .sold(sale))
        }
    }
}

/// What a message doesn't say.
package enum MissingPart: Sendable, Hashable {
    /// The items of a checkout session.
    case sessionItems(ProviderID)
    /// All lines of an invoice, of which the message has only the first.
    case invoiceItems(ProviderID)
    /// The address of a customer.
    case customer(ProviderID)
}

/// What an earlier message or the provider's API says in addition to a message.
package struct Supplement: Sendable, Hashable {
    /// The items of the sale.
    package var items: [SoldItem]?
    /// The buyer.
    package var buyer: Buyer?

    /// Creates a supplement.
    package init(items: [SoldItem]? = nil, buyer: Buyer? = nil) {
        self.items = items
        self.buyer = buyer
    }
}
