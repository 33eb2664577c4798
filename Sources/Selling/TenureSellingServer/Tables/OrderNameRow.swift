package import TenureCore
package import TenureSelling
import TenureServerKit
package import TenureStore

/// An id by which a provider's messages name an order: its subscription, an invoice, a payment or a session.
///
/// Messages name different objects of the same order: a refund names a payment, not the subscription. A message that
/// names two objects shows that they belong to one order.
package struct OrderNameRow: Sendable, Hashable {
    package let tenant: TenantID
    package let source: SourceID
    package let name: ProviderID
    package var order: OrderID
    /// Whether the id is the reference of the order.
    package var isReference: Bool

    package init(tenant: TenantID, source: SourceID, name: ProviderID, order: OrderID, isReference: Bool) {
        self.tenant = tenant
        self.source = source
        self.name = name
        self.order = order
        self.isReference = isReference
    }
}

extension OrderNameRow: Stored {
    /// The ids of all orders, including those whose sale hasn't arrived.
    package static let table = Table<OrderNameRow>(
        "order_names", key: ["tenant", "source", "name"],
        [
            Field("tenant") { $0.tenant }, Field("source") { $0.source }, Field("name") { $0.name },
            Field("order_id") { $0.order }, Field("is_reference") { $0.isReference },
        ],
        foreignKeys: [ForeignKey(to: TenantRow.self)],
        indexes: [TableIndex("by_order", "order_id", "name")]
    ) { row in
        OrderNameRow(
            tenant: try row.next(), source: try row.next(), name: try row.next(), order: try row.next(),
            isReference: try row.next())
    }

    package static let ofOrder = table.set("of_order", "order_id")
}

extension ProviderID: StorableAs {
    package var simple: String { text }
    package init?(simple: String) { self.init(simple) }
}
