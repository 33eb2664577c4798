public import TenureStore

extension PostgresStore {
    /// Saves what another store held, as it was, a page in one transaction and one round trip.
    public func adopt(_ page: StorePage) async throws(StoreError) {
        try await adopting.read { connection throws(StoreError) in try connection.adopt(page) }
    }
}

extension Connection {
    fileprivate func adopt(_ page: StorePage) throws(StoreError) {
        do {
            _ = try roundTrip([Statement(.begin)] + page.statements + [Statement(.commit)], committing: true)
        } catch {
            if !isLost { _ = try? run(.rollback) }
            throw error
        }
    }
}

extension StorePage {
    fileprivate var statements: [Statement] {
        if case .catalog(let catalog) = self { return SQL.adopting(catalog) }
        if count == 0 { return [] }
        switch self {
        case .catalog: return []
        case .settings(let rows): return rows.map { SQL.savingSetting($0.name, value: $0.value) }
        case .signingKeys(let rows): return rows.map(SQL.saving)
        case .tokens(let rows): return rows.map(SQL.saving)
        case .marketplaceKeys(let rows): return rows.map(SQL.saving)
        case .appAssets(let rows): return [SQL.saving(rows)]
        case .accounts(let rows): return [SQL.saving(rows)]
        case .credentials(let rows): return [SQL.saving(rows)]
        case .appGrants(let rows): return [SQL.saving(rows)]
        case .appLicenses(let rows): return [SQL.saving(rows)]
        case .licenses(let rows): return [SQL.saving(rows)]
        case .activations(let rows): return [SQL.saving(rows)]
        case .licenseCredentials(let rows): return [SQL.saving(rows)]
        case .trials(let rows): return [SQL.saving(rows)]
        case .events(let rows): return SQL.adopting(rows)
        case .answers(let rows): return [SQL.adopting(rows)]
        }
    }
}
