package import TenureStore

/// What a decision under the catalog looks at: the catalog's version beside its own looks.
package struct CatalogForm<Looks: Sendable>: Sendable {
    /// The version's look and the others.
    package struct All: Sendable {
        package let version: RowLook<CatalogVersion>
        package let looks: Looks
    }

    package let form: LoadForm<All>

    /// Declares a form; keep it in a static value.
    /// - Parameters:
    ///   - isAlone: Its changes write the catalog or keys, so they run beside no others.
    ///   - goesFirst: Its looks go before others that wait.
    package init(isAlone: Bool = false, goesFirst: Bool = false, _ declare: (inout Asking) -> Looks) {
        form = LoadForm(isAlone: isAlone, goesFirst: goesFirst) { ask in
            let version = ask.row(CatalogVersion.table.key)
            return All(version: version, looks: declare(&ask))
        }
    }

    /// Fills the form in.
    package func asked(_ values: StoredValue..., lists: [[StoredValue]] = []) -> CatalogAsked<Looks> {
        CatalogAsked(form: self, asked: form.asked(all: values, lists: lists))
    }

    /// Fills the form in with values that are a list already.
    package func asked(all values: [StoredValue], lists: [[StoredValue]] = []) -> CatalogAsked<Looks> {
        CatalogAsked(form: self, asked: form.asked(all: values, lists: lists))
    }

    /// The look's own results and the version that they are of.
    package func version(in seen: Seen) -> CatalogVersion { seen[form.looks.version] ?? CatalogVersion(version: 0) }
}

/// A form for a decision under the catalog that was filled in.
package struct CatalogAsked<Looks: Sendable>: Sendable {
    package let form: CatalogForm<Looks>
    package let asked: Asked

    package init(form: CatalogForm<Looks>, asked: Asked) {
        self.form = form
        self.asked = asked
    }
}

extension CatalogCache {
    /// Asks what a form asks for, without changing anything, beside the catalog of that moment or a later one.
    package func look<Looks>(
        _ asked: CatalogAsked<Looks>
    ) async throws(ServerError) -> (seen: Seen, looks: Looks, snapshot: CatalogSnapshot) {
        let seen = try await asking { () async throws(StoreError) in try await store.look(asked.asked) }
        let snapshot = try await snapshot(of: asked.form.version(in: seen).version)
        return (seen, asked.form.form.looks.looks, snapshot)
    }
}
