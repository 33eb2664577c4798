package import TenureStore

/// A query plan for decisions that depend on the catalog: the feature's queries plus the catalog's version.
package struct CatalogForm<Looks: Sendable>: Sendable {
    /// The version's query and the feature's own.
    package struct All: Sendable {
        package let version: RowLook<CatalogVersion>
        package let looks: Looks
    }

    package let form: LoadForm<All>

    /// Declares a query plan.
    ///
    /// Keep it in a static value.
    ///
    /// - Parameters:
    ///   - isAlone: Whether its transactions write the catalog or keys and so must not run concurrently with others.
    ///   - goesFirst: Whether its reads take precedence over waiting ones.
    package init(isAlone: Bool = false, goesFirst: Bool = false, _ declare: (inout Asking) -> Looks) {
        form = LoadForm(isAlone: isAlone, goesFirst: goesFirst) { ask in
            let version = ask.row(CatalogVersion.table.key)
            return All(version: version, looks: declare(&ask))
        }
    }

    /// Binds values to the plan.
    package func asked(_ values: StoredValue..., lists: [[StoredValue]] = []) -> CatalogAsked<Looks> {
        CatalogAsked(form: self, asked: form.asked(all: values, lists: lists))
    }

    /// Binds values that are already in an array.
    package func asked(all values: [StoredValue], lists: [[StoredValue]] = []) -> CatalogAsked<Looks> {
        CatalogAsked(form: self, asked: form.asked(all: values, lists: lists))
    }

    /// The catalog's version as of this read; 0 in a store without a catalog.
    package func version(in seen: Seen) -> CatalogVersion { seen[form.looks.version] ?? CatalogVersion(version: 0) }
}

/// A ``CatalogForm`` with its values bound.
package struct CatalogAsked<Looks: Sendable>: Sendable {
    package let form: CatalogForm<Looks>
    package let asked: Asked
}

extension CatalogCache {
    /// Runs the queries of a form and returns their results with the catalog of that version or a later one.
    package func look<Looks>(
        _ asked: CatalogAsked<Looks>
    ) async throws(ServerError) -> (seen: Seen, looks: Looks, snapshot: CatalogSnapshot) {
        let seen = try await asking { () async throws(StoreError) in try await store.look(asked.asked) }
        let snapshot = try await snapshot(of: asked.form.version(in: seen).version)
        return (seen, asked.form.form.looks.looks, snapshot)
    }
}
