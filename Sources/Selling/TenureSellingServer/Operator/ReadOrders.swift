import TenureCore
import TenureSelling
import TenureServerKit
import TenureStore

/// An order as stored and as computed from its facts, with its licenses.
struct ShownOrder: Sendable {
    let row: OrderRow
    let order: Order
    let licenses: [OrderLicenseRow]

    /// The ids of a line's licenses, sorted by their numbers within the line.
    func licenses(ofLine line: Int) -> [LicenseID] {
        licenses.filter { $0.line == line }.sorted { $0.number < $1.number }.map(\.license)
    }
}

/// Which orders to list.
enum OrderFilter: Sendable, Hashable {
    case all
    /// The orders of a buyer with this address.
    case holderEmail(String)
    /// The orders with this reference at the provider.
    case reference(ProviderID)
}

extension FeatureContext {
    /// Reads a tenant's order; `nil` if the tenant has no order with this id.
    func order(_ id: OrderID, of tenant: TenantID) async throws(ServerError) -> ShownOrder? {
        let plan = orderPlan
        let results = try await store.fetch(plan.bind(id))
        guard let row = results[plan.queries.row], row.tenant == tenant else { return nil }
        let facts = results[plan.queries.facts].map(\.fact)
        guard let order = Order(OrderFacts(source: row.source, reference: row.reference, facts)) else { return nil }
        return ShownOrder(row: row, order: order, licenses: results[plan.queries.licenses])
    }

    /// Lists at most `limit` (1...1000) orders of a tenant. All orders, and those of a buyer, are listed newest first.
    ///
    /// - Parameter order: The order after which the page begins; `nil` for the first page.
    func orders(
        of tenant: TenantID, _ filter: OrderFilter, from source: SourceID? = nil, after order: OrderRow? = nil,
        limit: Int
    ) async throws(ServerError) -> BoundedPage<OrderRow> {
        let (set, values): (RowSet<OrderRow>, [StoredValue]) =
            switch filter {
            case .all: (OrderRow.ofTenant, [.of(tenant)])
            case .holderEmail(let address): (OrderRow.ofHolderEmail, [.of(tenant), .of(FoldedText(address))])
            case .reference(let reference): (OrderRow.named, [.of(tenant), .of(reference)])
            }
        return try await store.boundedPage(
            of: set, values, after: order.map { set.position(of: $0) } ?? [], limit: limit,
            where: source.map { source in { $0.source == source } })
    }
}

private let orderPlan = QueryPlan(for: OrderID.self) { query in
    (
        row: query.row(OrderRow.table.key) { [.of($0)] },
        facts: query.rows(OrderFactRow.ofOrder, upTo: .everything) { [.of($0)] },
        licenses: query.rows(OrderLicenseRow.ofOrder, upTo: .everything) { [.of($0)] }
    )
}
