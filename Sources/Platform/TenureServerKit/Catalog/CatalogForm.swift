package import TenureStore

/// The queries of a ``CatalogForm``: the version's and the feature's own.
package struct CatalogQueries<Looks: Sendable>: Sendable {
    package let version: RowLook<CatalogVersion>
    package let looks: Looks

    /// The catalog's version as of this read; 0 in a store without a catalog.
    package func version(in seen: Seen) -> CatalogVersion { seen[version] ?? CatalogVersion(version: 0) }
}

/// A query plan for decisions that depend on the catalog: the feature's queries plus the catalog's version.
package struct CatalogForm<Parameters: Sendable, Looks: Sendable>: Sendable {
    package let form: LoadForm<Parameters, CatalogQueries<Looks>>

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
        _ declare: (inout Asking<Parameters>) -> Looks
    ) {
        form = LoadForm(isAlone: isAlone, goesFirst: goesFirst, for: parameters) { ask in
            let version = ask.row(CatalogVersion.table.key)
            return CatalogQueries(version: version, looks: declare(&ask))
        }
    }

    /// Binds a request's parameters to the plan.
    package func asked(_ parameters: Parameters) -> CatalogAsked<Looks> {
        CatalogAsked(queries: form.looks, asked: form.asked(parameters))
    }
}

/// A ``CatalogForm`` with its parameters bound.
package struct CatalogAsked<Looks: Sendable>: Sendable {
    package let queries: CatalogQueries<Looks>
    package let asked: Asked
}

extension CatalogCache {
    /// Runs the queries of a form and returns their results with the catalog of that version or a later one.
    package func look<Looks>(
        _ asked: CatalogAsked<Looks>
    ) async throws(ServerError) -> (seen: Seen, looks: Looks, snapshot: CatalogSnapshot) {
        let seen = try await asking { try await store.look(asked.asked) }
        let snapshot = try await snapshot(of: asked.queries.version(in: seen).version)
        return (seen, asked.queries.looks, snapshot)
    }
}
