import TenureCore
import TenureSelling
import TenureServerKit
import TenureStore

/// The writes of a message about an order, except those of licenses.
struct OrderWrites: Sendable {
    let record: OrderRecord
    /// The id under which the order is stored.
    let order: OrderID
    let message: PaymentMessage
    let report: OrderReport
    /// Whether the message concerns no other order.
    let isLast: Bool
    let now: Timestamp

    /// The writes that link the message's ids to the order.
    var names: [RowWrite] {
        var rows: [RowWrite] = []
        for name in report.names {
            let stored = record.names[name]
            let row = OrderNameRow(
                tenant: message.tenant, source: message.source, name: name, order: order,
                isReference: stored?.isReference ?? false || name == report.reference)
            if row != stored { rows.append(.put(row, over: stored)) }
        }
        for (name, stored) in record.names.sorted(by: { $0.key < $1.key }) {
            guard stored.order != order, !report.names.contains(name) else { continue }
            var row = stored
            row.order = order
            rows.append(.replace(stored, by: row))
        }
        return rows
    }

    /// The writes of new and replaced facts, and of facts that were stored under other ids.
    func facts(_ facts: OrderFacts) -> [RowWrite] {
        record.joining.map { .remove($0) }
            + facts.byKey.sorted { $0.key < $1.key }.compactMap { key, fact in
                let stored = record.facts[key]
                let row = OrderFactRow(order: order, tenant: message.tenant, fact: fact)
                return row == stored ? nil : .put(row, over: stored)
            }
    }

    /// The write of the order's row, which is used for lists.
    ///
    /// - Parameter seconds: How many seconds a purchase that renews a license has added to it.
    func row(of order: Order, adding seconds: Int64?) -> RowWrite {
        let row = OrderRow(
            id: self.order, tenant: message.tenant, source: message.source, reference: order.reference,
            kind: order.kind, state: order.state, isTest: order.isTest, holderEmail: order.holderEmail,
            holderName: order.holderName, customer: order.customer, paidUntil: order.paidUntil,
            renewedLicense: order.renewedLicense, addedSeconds: seconds, createdAt: record.row?.createdAt ?? now,
            changedAt: now)
        return .put(row, over: record.row)
    }

    func events(_ changes: OrderChanges) -> [RowWrite] {
        changes.events.map { event in
            .event(
                Event(
                    .order(event), at: now, actor: Actor(.paymentSource, message.source.text),
                    about: Event.Subject(tenant: message.tenant),
                    facts: [
                        .init("order", .text(changes.order.reference.text)),
                        .init("source", .text(message.source.text)),
                        .init("state", .text(changes.order.state.rawValue)), .init("message", .text(message.message)),
                    ]))
        }
    }

    /// The writes of the messages that waited for the sale. These messages are done, because their facts are now part
    /// of the order.
    func released(of order: Order) -> [RowWrite] {
        record.waiting.filter { $0.id != message.id && $0.source == message.source }
            .sorted { $0.id < $1.id }
            .map { .replace($0, by: $0.with(.done, order: order.reference.text, at: now)) }
    }

    /// The write of the message in its final state.
    ///
    /// - Parameter isStored: Whether the message's facts are stored, either in the order or until its sale arrives.
    func closed(
        _ state: PaymentMessage.State, _ reason: PaymentMessageReason? = nil, _ detail: String? = nil,
        isStored: Bool = true
    ) -> [RowWrite] {
        guard isLast else { return [] }
        let order = isStored ? reference : nil
        return [.replace(message, by: message.with(state, because: reason, detail, order: order, at: now))]
    }

    /// The write of the message after a change of the order. The message is parked if an operator should look at the
    /// change.
    func closed(after changes: OrderChanges) -> [RowWrite] {
        let reason = changes.attention.first.map { PaymentMessageReason($0) }
        return closed(reason == nil ? .done : .parked, reason)
    }

    /// The order's reference, or one of its other ids while the reference is unknown; `nil` without an id.
    private var reference: String? {
        (record.reference(or: report.reference) ?? report.names.min())?.text
    }
}

extension Actor.Kind {
    /// A source of payments, by its id in the catalog.
    static var paymentSource: Self { Self("source") }
}

extension EventKind {
    /// The kind of an order's event.
    static func order(_ event: OrderEvent) -> EventKind {
        switch event {
        case .paid: .orderPaid
        case .changed: .orderChanged
        case .ended: .orderEnded
        case .refunded: .orderRefunded
        case .disputed: .orderDisputed
        }
    }

    /// The kinds of events about orders.
    static let selling: [EventKind] = [.orderPaid, .orderChanged, .orderEnded, .orderRefunded, .orderDisputed]

    private static let orderPaid = EventKind(
        "order.paid", "An order, or a further period of it, was paid.", facts: orderFacts, since: "0.2")
    private static let orderChanged = EventKind(
        "order.changed", "An order's state, items or paid period changed in another way.", facts: orderFacts,
        since: "0.2")
    private static let orderEnded = EventKind(
        "order.ended", "A subscription ended.", facts: orderFacts, since: "0.2")
    private static let orderRefunded = EventKind(
        "order.refunded", "Money of an order was paid back.", facts: orderFacts, since: "0.2")
    private static let orderDisputed = EventKind(
        "order.disputed", "A payment of an order was disputed, or a dispute was decided.", facts: orderFacts,
        since: "0.2")

    private static let orderFacts: [Fact] = [.text("order"), .text("source"), .text("state"), .text("message")]
}
