import TenureCore
package import TenureStore

/// The queries of a repeatable change: one for the saved response, and those of the change.
package struct IdempotentQueries<Queries: Sendable>: Sendable {
    package let answer: RowQuery<IdempotentResponse>
    package let queries: Queries
}

/// The parameters of a repeatable change: its request (`nil` without an idempotency key), and those of its own
/// queries.
package struct RepeatableParameters<Own: Sendable>: Sendable {
    package let request: RepeatableRequest?
    package let own: Own
}

/// The query plan of a catalog-dependent change that runs once per idempotency key.
package struct IdempotentQueryPlan<Parameters: Sendable, Queries: Sendable>: Sendable {
    package let plan: CatalogQueryPlan<RepeatableParameters<Parameters>, IdempotentQueries<Queries>>

    /// Declares a query plan, which belongs in a static value so that it's built only once.
    package init(
        for parameters: Parameters.Type = Parameters.self, _ declare: (inout QueryBuilder<Parameters>) -> Queries
    ) {
        plan = CatalogQueryPlan { query in
            query.hold(IdempotentResponse.turn) { $0.request.map { [.of($0.key)] } ?? [] }
            let answer = query.row(IdempotentResponse.table.key) { [.of($0.request?.key)] }
            return IdempotentQueries(answer: answer, queries: query.part(declare) { $0.own })
        }
    }

    /// Binds the request (`nil` without an idempotency key) and the change's own parameters.
    package func bind(
        _ request: RepeatableRequest?, _ parameters: Parameters
    ) -> BoundCatalogQuery<IdempotentQueries<Queries>> {
        plan.bind(RepeatableParameters(request: request, own: parameters))
    }
}
