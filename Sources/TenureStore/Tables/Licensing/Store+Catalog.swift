public import TenureCore

extension Store {
    /// Reads the whole catalog with its version.
    public func catalog() async throws(StoreError) -> Catalog {
        let form = CatalogLooks.form
        return form.looks.catalog(in: try await look(form.asked(lists: [[]])))
    }

    /// Reads the version of the catalog alone: cheap enough to be asked often.
    public func catalogVersion() async throws(StoreError) -> Int64 {
        let form = CatalogForms.version
        guard let version = try await look(form.asked())[form.looks] else { throw .unreadable("a catalog version") }
        return version.version
    }

    /// Reads the signing keys of all tenants, oldest first.
    public func signingKeys() async throws(StoreError) -> [SigningKeyRecord] {
        let form = CatalogForms.signingKeys
        return try await look(form.asked())[form.looks]
    }

    /// Reads the keys of all marketplaces, oldest first.
    public func marketplaceKeys() async throws(StoreError) -> [MarketplaceKeyRecord] {
        let form = CatalogForms.marketplaceKeys
        return try await look(form.asked())[form.looks]
    }
}

private enum CatalogForms {
    static let version = LoadForm { ask in ask.row(CatalogVersion.table.key) }
    static let signingKeys = LoadForm { ask in ask.rows(SigningKeyRecord.byAge, upTo: Asking.everything) }
    static let marketplaceKeys = LoadForm { ask in ask.rows(MarketplaceKeyRecord.byAge, upTo: Asking.everything) }
}
