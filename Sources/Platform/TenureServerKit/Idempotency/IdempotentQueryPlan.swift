import TenureCore
package import TenureStore

/// The queries of a repeatable change: the saved responses and the change's own.
package struct IdempotentQueries<Looks: Sendable>: Sendable {
    package let answer: RowQuery<IdempotentResponse>
    package let looks: Looks
}

/// The parameters of a repeatable change: its request, which is `nil` if it has no idempotency key, and its own.
package struct RepeatableParameters<Own: Sendable>: Sendable {
    package let request: RepeatableRequest?
    package let own: Own
}

/// The query plan of a catalog-dependent change that runs once per idempotency key.
package struct IdempotentQueryPlan<Parameters: Sendable, Looks: Sendable>: Sendable {
    package let form: CatalogQueryPlan<RepeatableParameters<Parameters>, IdempotentQueries<Looks>>

    /// Declares a query plan.
    ///
    /// Keep it in a static value.
    package init(
        for parameters: Parameters.Type = Parameters.self, _ declare: (inout QueryBuilder<Parameters>) -> Looks
    ) {
        form = CatalogQueryPlan { ask in
            ask.hold(IdempotentResponse.turn) { $0.request.map { [.of($0.key)] } ?? [] }
            let answer = ask.row(IdempotentResponse.table.key) { [.of($0.request?.key)] }
            return IdempotentQueries(answer: answer, looks: ask.part(declare) { $0.own })
        }
    }

    /// Binds a request and its parameters.
    ///
    /// The request is `nil` if it has no idempotency key.
    package func asked(
        _ request: RepeatableRequest?, _ parameters: Parameters
    ) -> BoundCatalogQuery<IdempotentQueries<Looks>> {
        form.asked(RepeatableParameters(request: request, own: parameters))
    }
}
