package import TenureCore
import TenureSelling
import TenureServerKit
package import TenureStore

/// A fact about an order, as the law folds it (``TenureSelling/OrderFacts``).
///
/// A fact may come before the sale that it's about. Then there is no ``OrderRow`` yet.
package struct OrderFactRow: Sendable, Hashable {
    package let order: OrderID
    package let tenant: TenantID
    /// The natural key of the fact among those of the order.
    package let key: String
    package let at: Timestamp
    /// The fact as JSON.
    package let payload: String

    package init(order: OrderID, tenant: TenantID, key: String, at: Timestamp, payload: String) {
        self.order = order
        self.tenant = tenant
        self.key = key
        self.at = at
        self.payload = payload
    }
}

extension OrderFactRow: Stored {
    /// The facts of all orders.
    package static let table = Table<OrderFactRow>(
        "order_facts", key: ["order_id", "fact"],
        [
            Field("order_id") { $0.order }, Field("tenant") { $0.tenant }, Field("fact") { $0.key },
            Field("at") { $0.at }, Field("payload", namesPerson: true) { $0.payload },
        ],
        foreignKeys: [ForeignKey(to: TenantRow.self)]
    ) { row in
        OrderFactRow(
            order: try row.next(), tenant: try row.next(), key: try row.next(), at: try row.next(),
            payload: try row.next())
    }

    /// The facts of an order.
    package static let ofOrder = table.set("of_order", "order_id")
}
