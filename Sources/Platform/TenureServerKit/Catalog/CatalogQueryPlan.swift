package import TenureStore

/// The queries of a ``CatalogQueryPlan``: one for the catalog's version, and the feature's own.
package struct CatalogQueries<Queries: Sendable>: Sendable {
    package let version: RowQuery<CatalogVersion>
    package let queries: Queries

    /// The catalog's version as of this read; 0 in a store without a catalog.
    package func version(in results: QueryResult) -> CatalogVersion { results[version] ?? CatalogVersion(version: 0) }
}

/// A query plan for decisions that depend on the catalog: the feature's queries plus the catalog's version.
package struct CatalogQueryPlan<Parameters: Sendable, Queries: Sendable>: Sendable {
    package let plan: QueryPlan<Parameters, CatalogQueries<Queries>>

    /// Declares a query plan, which belongs in a static value so that it's built only once.
    ///
    /// - Parameters:
    ///   - isAlone: Whether the plan's transactions write the catalog or keys, and therefore must not run concurrently
    ///     with others.
    ///   - goesFirst: Whether the plan's queries overtake waiting queries of other plans.
    ///   - parameters: The type of the values that a request supplies.
    package init(
        isAlone: Bool = false, goesFirst: Bool = false, for parameters: Parameters.Type = Parameters.self,
        _ declare: (inout QueryBuilder<Parameters>) -> Queries
    ) {
        plan = QueryPlan(isAlone: isAlone, goesFirst: goesFirst, for: parameters) { query in
            let version = query.row(CatalogVersion.table.key)
            return CatalogQueries(version: version, queries: declare(&query))
        }
    }

    /// Binds a request's parameters to the plan.
    package func bind(_ parameters: Parameters) -> BoundCatalogQuery<Queries> {
        BoundCatalogQuery(queries: plan.queries, bound: plan.bind(parameters))
    }
}

/// A ``CatalogQueryPlan`` with its parameters bound.
package struct BoundCatalogQuery<Queries: Sendable>: Sendable {
    package let queries: CatalogQueries<Queries>
    package let bound: BoundQuery
}

extension CatalogCache {
    /// Runs a plan's queries. Returns their results, and a snapshot of the catalog version that they read or a later
    /// one.
    package func fetch<Queries>(
        _ bound: BoundCatalogQuery<Queries>
    ) async throws(ServerError) -> (results: QueryResult, queries: Queries, snapshot: CatalogSnapshot) {
        let results = try await store.fetch(bound.bound)
        let snapshot = try await snapshot(of: bound.queries.version(in: results).version)
        return (results, bound.queries.queries, snapshot)
    }
}
