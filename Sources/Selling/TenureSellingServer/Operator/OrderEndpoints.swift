import TenureCore
import TenureSelling
import TenureServerKit

/// The endpoints of orders under `/v1/{tenant}/orders`.
struct OrderEndpoints: Sendable {
    let context: FeatureContext
    let catalog: CatalogCache
    let randomness: Randomness

    var endpoints: [Endpoint] { [list, show, join] }

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

    private var join: Endpoint {
        let fields = Fields { fields in
            (
                license: try fields.required("license", .licenseID, "The id of the license."),
                reference: try fields.required(
                    "reference", .providerID, "The provider's id of the order, as the parked message names it."),
                source: try fields.optional(
                    "source", .slug(), "The source of the order's payments; needed if several sources could have it.")
                    as SourceID?
            )
        }
        return Endpoint(
            "POST", "/v1/{tenant}/orders/join", format: .problem, catalog: .current,
            authentication: with("orders:write"), reads: fields, answers: JoinedOrder.document,
            operation: Operation(
                "joinOrder", "selling", "Join a license to an order that Tenure doesn't know",
                "For a subscription that began before Tenure received its messages. Such an order has no id yet, so it's "
                    + "named by the provider's reference. The license gets that reference as its `order`, and the order's "
                    + "parked messages are acted on again. Nothing is issued.")
        ) { call in
            var random = randomness.generator()
            let request = JoinOrder.Request(
                tenant: call.caller.tenant, source: call.input.source, reference: call.input.reference,
                license: call.input.license, actor: call.caller.actor, job: .random(using: &random))
            switch try await JoinOrder(catalog: catalog, clock: context.clock).join(request) {
            case .joined(let joined): return .done(joined)
            case .licenseUnknown, .sourceUnclear([]): throw Failure.notFound
            case .sourceUnclear(let sources):
                throw Failure(FieldFault("source", .other(JoinOrder.sourceSentence(of: sources))))
            case .refused(let obstacle):
                throw Failure(
                    RejectedRequest(
                        409, code: obstacle.kind.text, obstacle.sentence, among: Reason.Kind.payments))
            }
        }
    }
}

extension JoinedOrder {
    /// The JSON form of a joined license.
    static let document = Document<JoinedOrder>(
        "JoinedOrder",
        [
            .text("license", "The id of the license.") { $0.license.description },
            .text("source", "The source of the order's payments.") { $0.source.text },
            .text("reference", "The provider's id of the order, which is the license's `order` now.") {
                $0.reference.text
            },
            .integer("messages", "How many parked messages of the order are acted on again.") { Int64($0.messages) },
        ])
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
