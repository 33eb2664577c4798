public import TenureStore

extension SQLiteStore {
    /// Saves what another store held, as it was, a page in one transaction.
    public func adopt(_ page: StorePage) async throws(StoreError) {
        try connection.lend { connection throws(StoreError) in
            try connection.transaction { () throws(StoreError) in try connection.adopt(page) }
        }
    }
}

extension Connection {
    fileprivate func adopt(_ page: StorePage) throws(StoreError) {
        switch page {
        case .catalog(let catalog): try SQL.adopt(catalog, on: self)
        case .settings(let rows): for row in rows { try SQL.saveSetting(row.name, value: row.value, on: self) }
        case .signingKeys(let rows): for row in rows { try SQL.save(row, on: self) }
        case .tokens(let rows): for row in rows { try SQL.save(row, on: self) }
        case .marketplaceKeys(let rows): for row in rows { try SQL.save(row, on: self) }
        case .appAssets(let rows): for row in rows { try SQL.save(row, on: self) }
        case .accounts(let rows): for row in rows { try SQL.save(row, on: self) }
        case .credentials(let rows): for row in rows { try SQL.save(row, on: self) }
        case .appGrants(let rows): for row in rows { try SQL.save(row, on: self) }
        case .appLicenses(let rows): for row in rows { try SQL.save(row, on: self) }
        case .licenses(let rows): for row in rows { try SQL.save(row, over: nil, on: self) }
        case .activations(let rows): for row in rows { try SQL.save(row, on: self) }
        case .licenseCredentials(let rows): for row in rows { try SQL.save(row, on: self) }
        case .trials(let rows): for row in rows { try SQL.save(row, on: self) }
        case .events(let rows): for row in rows { try SQL.adopt(row, on: self) }
        case .answers(let rows): for row in rows { try SQL.save(row, on: self) }
        }
    }
}
