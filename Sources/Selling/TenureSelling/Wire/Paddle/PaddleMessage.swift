package import TenureCore
package import TenureFormats

/// An event of Paddle Billing.
///
/// No member shows whether the payment is real. Instead, Paddle's sandbox is a separate account with its own secret.
package struct PaddleMessage: Sendable, Hashable {
    /// The id of the event, which stays the same if Paddle sends the event again.
    package let id: ProviderID
    /// The type, such as `transaction.completed`.
    package let type: String
    /// When the event happened; fractions of a second are dropped.
    package let time: Timestamp
    /// The object that the event is about.
    let data: JSONValue

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
        guard let id = root["event_id"]?.text.flatMap(ProviderID.init) else { throw Self.missing("event_id") }
        guard let type = root["event_type"]?.text, (1...128).contains(type.utf8.count) else {
            throw Self.missing("event_type")
        }
        guard let time = root["occurred_at"]?.time else { throw Self.missing("occurred_at") }
        guard let data = root["data"], case .object = data else { throw Self.missing("data") }
        self.id = id
        self.type = type
        self.time = time
        self.data = data
    }

    /// Creates an event that reports an object's current state.
    init(id: ProviderID, type: String, time: Timestamp, data: JSONValue) {
        self.id = id
        self.type = type
        self.time = time
        self.data = data
    }

    private static func missing(_ member: String) -> FormatError {
        FormatError(.badMember, "the event has no usable field \"/\(member)\"")
    }

    /// The types of events that a source needs; others are ignored.
    package static let neededTypes = [
        "transaction.completed", "subscription.created", "subscription.activated", "subscription.updated",
        "subscription.past_due", "subscription.paused", "subscription.resumed", "subscription.canceled",
        "adjustment.created", "adjustment.updated", "customer.created", "customer.updated",
    ]

    /// The facts that the event reports.
    ///
    /// - Parameters:
    ///   - supplement: The buyer, from the API or earlier messages, because no sale of Paddle's contains the buyer.
    ///   - issues: Whether a further period of an unknown order counts as a sale, because an operator requested it.
    /// - Throws: ``FormatError`` with `.badMember` if a member that the type needs can't be used.
    package func content(
        with supplement: Supplement = Supplement(), issues: Bool = false
    ) throws(FormatError) -> MessageContent {
        switch type {
        case "transaction.completed": try transaction(supplement, issues: issues)
        case "subscription.created", "subscription.activated", "subscription.updated", "subscription.past_due",
            "subscription.paused", "subscription.resumed", "subscription.canceled":
            try subscription()
        case "adjustment.created", "adjustment.updated": try adjustment()
        case "customer.created", "customer.updated": customer()
        default: .unused
        }
    }

    func fact(_ kind: ReportedFact.Kind) -> ReportedFact { ReportedFact(message: id, time: time, kind) }

    /// Returns a member, or throws an error that names it.
    func require<Value>(_ value: Value?, _ member: String) throws(FormatError) -> Value {
        guard let value else { throw Self.missing("data/\(member)") }
        return value
    }

    /// An amount with the object's currency.
    func money(_ amount: Int64?, _ member: String) throws(FormatError) -> Money {
        Money(try require(amount, member), try require(data["currency_code"]?.text, "currency_code"))
    }

    private func customer() -> MessageContent {
        guard let customer = data["id"]?.id, let email = data["email"]?.email else { return .noted }
        let buyer = Buyer(email: email, name: data["name"]?.name, customer: customer)
        return .customer(customer, buyer, fact(.addressChanged(email: email)))
    }
}
