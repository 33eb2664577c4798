package import TenureCore
package import TenureSelling
import TenureServerKit
package import TenureStore

/// A fact about an order (``TenureSelling/OrderFacts``).
///
/// A fact may arrive before the sale of its order. Then the order has no ``OrderRow`` yet.
package struct OrderFactRow: Sendable, Hashable {
    package let order: OrderID
    package let tenant: TenantID
    package let fact: OrderFact

    package init(order: OrderID, tenant: TenantID, fact: OrderFact) {
        self.order = order
        self.tenant = tenant
        self.fact = fact
    }
}

extension OrderFactRow: Stored {
    /// The facts of all orders, each as JSON under its natural key.
    package static let table = Table<OrderFactRow>(
        "order_facts", key: ["order_id", "fact"],
        [
            Field("order_id") { $0.order }, Field("tenant") { $0.tenant }, Field("fact") { $0.fact.key },
            Field("payload", namesPerson: true) { String(decoding: $0.fact.encoded, as: UTF8.self) },
        ],
        foreignKeys: [ForeignKey(to: TenantRow.self)]
    ) { row in
        let (order, tenant, key): (OrderID, TenantID, String) = (try row.next(), try row.next(), try row.next())
        let payload: String = try row.next()
        guard let fact = try? OrderFact(decoding: Array(payload.utf8)), fact.key == key else {
            throw StoreError.unreadable("a fact of an order")
        }
        return OrderFactRow(order: order, tenant: tenant, fact: fact)
    }

    package static let ofOrder = table.set("of_order", "order_id")
}
