package import TenureCore
package import TenureSelling
import TenureServerKit
package import TenureStore

/// A signed message from a payment provider, without its body.
///
/// The row outlasts the body (``PaymentMessageBody``), so that a message that is sent again much later changes nothing.
package struct PaymentMessage: Sendable, Hashable {
    package enum State: String, Sendable, CaseIterable, StorableCode {
        /// The message's job hasn't finished yet.
        case waiting
        /// The message has been acted on; its facts are part of its order, or of all orders of its customer.
        case done
        /// The message changes nothing, for ``PaymentMessage/reason``.
        case ignored
        /// The message can't be acted on until the operator or another message provides the missing data.
        case parked
    }

    package let id: PaymentMessageID
    package let tenant: TenantID
    /// The source in the tenant's catalog that received the message.
    package let source: SourceID
    /// The provider's id of the message, such as `evt_1`.
    package let message: String
    /// The provider's type of the message, such as `invoice.paid`.
    package let type: String
    package var state: State = .waiting
    /// Why the message was ignored or parked; `nil` otherwise.
    package var reason: PaymentMessageReason?
    /// A description of the missing data or of the failure, for the operator; without addresses, names or secrets.
    /// `nil` if there is none.
    package var detail: String?
    /// The reference of the order that the message belongs to or, while the reference is unknown, another id of the
    /// order; `nil` if neither is known.
    ///
    /// While the message waits or is parked, it's set only if the message's facts are stored.
    package var order: String?
    /// When the reported change happened, according to the provider.
    package let happenedAt: Timestamp
    package let receivedAt: Timestamp
    /// When the state last changed.
    package var changedAt: Timestamp

    package init(
        id: PaymentMessageID, tenant: TenantID, source: SourceID, message: String, type: String,
        state: State = .waiting, reason: PaymentMessageReason? = nil, detail: String? = nil, order: String? = nil,
        happenedAt: Timestamp, receivedAt: Timestamp, changedAt: Timestamp
    ) {
        self.id = id
        self.tenant = tenant
        self.source = source
        self.message = message
        self.type = type
        self.state = state
        self.reason = reason
        self.detail = detail
        self.order = order
        self.happenedAt = happenedAt
        self.receivedAt = receivedAt
        self.changedAt = changedAt
    }
}

/// Distinguishes the ids of payment messages from other numbered ids at compile time.
package enum PaymentMessageTag: Numbered {
    package static let namePrefix = "msg_"
}

/// The id of a message from a payment provider, written as `msg_` and 13 digits.
package typealias PaymentMessageID = NumberedID<PaymentMessageTag>

extension PaymentMessage: Stored {
    package static let table = Table<PaymentMessage>(
        "payment_messages", key: ["id"],
        [
            Field("id") { $0.id }, Field("tenant") { $0.tenant }, Field("source") { $0.source },
            Field("message") { $0.message }, Field("type") { $0.type }, Field("state") { $0.state },
            Field("reason") { $0.reason }, Field("detail") { $0.detail }, Field("order_reference") { $0.order },
            Field("happened_at") { $0.happenedAt }, Field("received_at") { $0.receivedAt },
            Field("changed_at") { $0.changedAt },
        ],
        foreignKeys: [ForeignKey(to: TenantRow.self)],
        uniques: [Unique("by_message", "tenant", "source", "message", meaning: "message_repeated")],
        indexes: [
            TableIndex("by_tenant", "tenant", "received_at", "id"),
            TableIndex("by_order", "tenant", "source", "order_reference", "id"),
            TableIndex("by_state", "state", "changed_at", "id"),
            TableIndex("by_source", "tenant", "source", "state", "id"),
            TableIndex("by_change", "changed_at", "id"),
        ]
    ) { row in
        PaymentMessage(
            id: try row.next(), tenant: try row.next(), source: try row.next(), message: try row.next(),
            type: try row.next(), state: try row.next(), reason: try row.next(), detail: try row.next(),
            order: try row.next(), happenedAt: try row.next(), receivedAt: try row.next(), changedAt: try row.next())
    }

    /// A source's message, by the provider's id.
    package static let byMessage = table.unique("by_message")
    /// A tenant's messages, newest first.
    package static let ofTenant = table.set("of_tenant", "tenant", order: [.down("received_at")])
    /// The messages of all tenants in one state, sorted by the time of the last change of their state.
    package static let inState = table.set("in_state", "state", order: [.up("changed_at")])
    /// The messages of a source in one state.
    package static let ofSource = table.set("of_source", "tenant", "source", "state")
    /// All messages, sorted by the last change of their state.
    package static let byChange = table.set("by_change", order: [.up("changed_at")])
    /// The messages of an order.
    package static let ofOrder = table.set(
        "of_order", "tenant", "source", "order_reference", where: .isNotNull("order_reference"))

    /// How long a finished message is kept, in seconds: 400 days, longer than any provider repeats a message.
    package static let lifetime: Int64 = 400 * 86_400

    /// Serializes the transactions that change the orders of a source; the parameters are the tenant and the source.
    package static let turnOfSource = QueryLock(
        [.text, .text],
        postgres: """
            SELECT hashtextextended(tenant || '/selling/' || source, 0)
            FROM unnest($1::text[], $2::text[]) AS w (tenant, source)
            """)
}

extension PaymentMessage {
    /// Returns the message as if it had just arrived.
    func retried(at now: Timestamp) -> PaymentMessage {
        var after = with(.waiting, at: now)
        // The message's facts may not be stored, so the arrival of the order's sale must not mark the message as done.
        after.order = nil
        return after
    }

    /// Whether the message is done once its order's sale arrives, because its facts are stored and only the sale is
    /// missing.
    var waitsForOrder: Bool {
        order != nil && (state == .waiting || reason == .orderUnknown || reason == .factsMissing)
    }

    /// Returns the message in another state.
    func with(
        _ state: State, because reason: PaymentMessageReason? = nil, _ detail: String? = nil, order: String? = nil,
        at now: Timestamp
    ) -> PaymentMessage {
        var after = self
        (after.state, after.reason, after.detail, after.order) = (state, reason, detail, order)
        after.changedAt = now
        return after
    }
}
