import TenureCore
import TenureSelling
import TenureServerKit

/// The endpoints of orders under `/v1/{tenant}/orders`.
struct OrderEndpoints: Sendable {
    let context: FeatureContext

    var endpoints: [Endpoint] { [list, show] }

    private func with(_ scope: String) -> Authentication<OperatorCaller> { .operator(scope, by: context) }

    private var list: Endpoint {
        let fields = Fields { fields in
            (
                source: try fields.optional("source", .slug(), in: .query, "Only orders of this source.") as SourceID?,
                reference: try fields.optional(
                    "reference", .providerID, in: .query, "Only orders with this id at the provider."),
                email: try fields.optional(
                    "holderEmail", .line(3...254), in: .query, "Only orders of the buyer with this address."),
                after: try fields.optional(
                    "after", .numbered(), in: .query, "The value of `next` from the previous page.") as OrderID?,
                limit: try fields.pageLimit()
            )
        }
        return Endpoint(
            "GET", "/v1/{tenant}/orders", format: .problem, catalog: .cached, authentication: with("orders:read"),
            reads: fields, answers: ListPage.document("orders", of: OrderRow.document),
            operation: Operation("listOrders", "selling", "List orders", "Newest first.")
        ) { call in
            let (input, tenant) = (call.input, call.caller.tenant)
            var last: OrderRow?
            if let after = input.after {
                last = try await context.order(after, of: tenant)?.row
                guard last != nil else {
                    throw Failure(FieldFault("after", in: .query, .other("this tenant has no order \(after)")))
                }
            }
            let filter: OrderFilter =
                input.reference.map { .reference($0) } ?? input.email.map { .holderEmail($0) } ?? .all
            let page = try await context.orders(
                of: tenant, filter, from: input.source, after: last, limit: input.limit)
            return .done(ListPage(page.rows, next: page.next?.id.description))
        }
    }

    private var show: Endpoint {
        let fields = Fields { fields in
            try fields.required("order", .numbered(), in: .path, "The id of the order.") as OrderID
        }
        return Endpoint(
            "GET", "/v1/{tenant}/orders/{order}", format: .problem, catalog: .cached,
            authentication: with("orders:read"), reads: fields, answers: ShownOrder.document,
            operation: Operation(
                "showOrder", "selling", "Show an order", "With its payments, what was bought, and the licenses.")
        ) { call in
            guard let order = try await context.order(call.input, of: call.caller.tenant) else {
                throw Failure.notFound
            }
            return .done(order)
        }
    }
}

extension FieldType where Value == ProviderID {
    /// An id at a payment provider, such as `sub_1`.
    fileprivate static var providerID: FieldType {
        .text(
            "1 to 128 characters: A-Z, a-z, 0-9, _, - and .", like: "sub_1",
            schema: .text(length: 1...128, pattern: "^[A-Za-z0-9_.-]+$")
        ) { ProviderID($0) }
    }
}
