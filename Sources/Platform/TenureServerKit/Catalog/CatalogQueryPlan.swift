package import TenureStore

/// The queries of a ``CatalogQueryPlan``: the version's and the feature's own.
package struct CatalogQueries<Looks: Sendable>: Sendable {
    package let version: RowQuery<CatalogVersion>
    package let looks: Looks

    /// The catalog's version as of this read; 0 in a store without a catalog.
    package func version(in seen: QueryResult) -> CatalogVersion { seen[version] ?? CatalogVersion(version: 0) }
}

/// A query plan for decisions that depend on the catalog: the feature's queries plus the catalog's version.
package struct CatalogQueryPlan<Parameters: Sendable, Looks: Sendable>: Sendable {
    package let form: QueryPlan<Parameters, CatalogQueries<Looks>>

    /// Declares a query plan.
    ///
    /// Keep it in a static value.
    ///
    /// - Parameters:
    ///   - isAlone: Whether its transactions write the catalog or keys and so must not run concurrently with others.
    ///   - goesFirst: Whether its reads take precedence over waiting ones.
    ///   - parameters: What a request brings; a single value needs no type of its own.
    package init(
        isAlone: Bool = false, goesFirst: Bool = false, for parameters: Parameters.Type = Parameters.self,
        _ declare: (inout QueryBuilder<Parameters>) -> Looks
    ) {
        form = QueryPlan(isAlone: isAlone, goesFirst: goesFirst, for: parameters) { ask in
            let version = ask.row(CatalogVersion.table.key)
            return CatalogQueries(version: version, looks: declare(&ask))
        }
    }

    /// Binds a request's parameters to the plan.
    package func asked(_ parameters: Parameters) -> BoundCatalogQuery<Looks> {
        BoundCatalogQuery(queries: form.looks, asked: form.asked(parameters))
    }
}

/// A ``CatalogQueryPlan`` with its parameters bound.
package struct BoundCatalogQuery<Looks: Sendable>: Sendable {
    package let queries: CatalogQueries<Looks>
    package let asked: BoundQuery
}

extension CatalogCache {
    /// Runs the queries of a form and returns their results with the catalog of that version or a later one.
    package func look<Looks>(
        _ asked: BoundCatalogQuery<Looks>
    ) async throws(ServerError) -> (seen: QueryResult, looks: Looks, snapshot: CatalogSnapshot) {
        let seen = try await asking { try await store.look(asked.asked) }
        let snapshot = try await snapshot(of: asked.queries.version(in: seen).version)
        return (seen, asked.queries.looks, snapshot)
    }
}
