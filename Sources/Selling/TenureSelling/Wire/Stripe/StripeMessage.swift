package import TenureCore
package import TenureFormats

/// A snapshot event of Stripe.
///
/// With the API version basil of 2025, members of invoices, charges and subscriptions changed. Both formats are read,
/// the newer one first.
package struct StripeMessage: Sendable, Hashable {
    /// The id of the event, which stays the same if Stripe sends the event again.
    package let id: ProviderID
    /// The type, such as `invoice.paid`.
    package let type: String
    /// When the event happened, in whole seconds.
    package let time: Timestamp
    /// Whether the event is about a real payment.
    package let isLive: Bool
    /// The API version that determines the object's format; `nil` if the event doesn't contain it.
    package let apiVersion: String?
    /// The object that the event is about.
    let object: JSONValue
    /// The members of the object that changed, with their former values; `nil` if the event contains none.
    let previous: JSONValue?

    /// Reads an event's body.
    ///
    /// Throws ``FormatError``: `.malformed` if the body isn't JSON. `.badMember` if a member of every event is missing.
    package init(parsing body: [UInt8]) throws(FormatError) {
        let root: JSONValue
        do { root = try JSONValue(parsing: body) } catch { throw FormatError(.malformed, "\(error)") }
        try self.init(root)
    }

    /// Reads an event, such as an element of the API's list of events.
    package init(_ root: JSONValue) throws(FormatError) {
        guard let id = root["id"]?.text.flatMap(ProviderID.init) else { throw Self.missing("id") }
        guard let type = root["type"]?.text, (1...128).contains(type.utf8.count) else { throw Self.missing("type") }
        guard let time = root["created"]?.seconds else { throw Self.missing("created") }
        guard let isLive = root["livemode"]?.bool else { throw Self.missing("livemode") }
        guard let data = root["data"], let object = data["object"], case .object = object else {
            throw Self.missing("data/object")
        }
        self.id = id
        self.type = type
        self.time = time
        self.isLive = isLive
        apiVersion = root["api_version"]?.text
        self.object = object
        previous = data["previous_attributes"]
    }

    /// Creates an event that reports an object's current state.
    init(id: ProviderID, type: String, time: Timestamp, object: JSONValue) {
        self.id = id
        self.type = type
        self.time = time
        isLive = object["livemode"]?.bool ?? false
        apiVersion = nil
        self.object = object
        previous = nil
    }

    private static func missing(_ member: String) -> FormatError {
        FormatError(.badMember, "the event has no usable field \"/\(member)\"")
    }

    /// The types of events that a source needs; others are ignored.
    package static let neededTypes = [
        "checkout.session.completed", "checkout.session.async_payment_succeeded",
        "checkout.session.async_payment_failed", "invoice.paid", "invoice_payment.paid", "invoice.payment_failed",
        "customer.subscription.created", "customer.subscription.updated", "customer.subscription.paused",
        "customer.subscription.resumed", "customer.subscription.deleted", "customer.updated", "charge.refunded",
        "refund.failed", "charge.dispute.created", "charge.dispute.updated", "charge.dispute.closed",
    ]

    /// The facts that the event reports.
    ///
    /// - Parameters:
    ///   - supplement: The facts that the API or earlier messages add.
    ///   - knows: Whether the source's rules contain an item. Without an API key, a session's item is its payment link
    ///     or the metadata `tenure_item`.
    /// - Throws: ``FormatError`` with `.badMember` if a member that the type needs can't be used.
    package func content(
        with supplement: Supplement = Supplement(), knows: (String) -> Bool = { _ in false }
    ) throws(FormatError) -> MessageContent {
        switch type {
        case "checkout.session.completed", "checkout.session.async_payment_succeeded":
            try session(supplement, knows)
        case "checkout.session.async_payment_failed": .noted
        case "invoice.paid": try paidInvoice(supplement)
        case "invoice_payment.paid": try invoicePayment()
        case "invoice.payment_failed": failedInvoice()
        case "customer.subscription.created", "customer.subscription.updated", "customer.subscription.paused",
            "customer.subscription.resumed", "customer.subscription.deleted":
            try subscription()
        case "customer.updated": customer()
        case "charge.refunded": try refundedCharge()
        case "refund.failed", "refund.updated", "charge.refund.updated": try refund()
        case "charge.dispute.created", "charge.dispute.updated", "charge.dispute.closed": try dispute()
        default: .unused
        }
    }

    func fact(_ kind: ReportedFact.Kind) -> ReportedFact { ReportedFact(message: id, time: time, kind) }

    /// Returns a member, or throws an error that names it.
    func require<Value>(_ value: Value?, _ member: String) throws(FormatError) -> Value {
        guard let value else { throw Self.missing("data/object/\(member)") }
        return value
    }

    /// An amount with the object's currency.
    func money(_ member: String) throws(FormatError) -> Money {
        let currency = try require(object["currency"]?.text, "currency")
        return Money(try require(object[member]?.integer, member), currency)
    }
}
