import TenureCore
import TenureStore

extension Connection {
    /// Carries out one change inside an open transaction: loads, lets it decide, saves.
    func carryOut(_ change: any WaitingChange, catalogVersion: inout Int64) throws(StoreError) {
        let loaded = try load(change.keys, catalogVersion: catalogVersion)
        let writes = change.decide(loaded)
        if writes.contains(where: \.concernsCatalog) {
            try run(.raiseCatalogVersion)
            catalogVersion += 1
        }
        for write in writes { try save(write, over: loaded.license) }
    }

    private func save(_ write: Write, over loaded: License?) throws(StoreError) {
        switch write {
        case .license(let license): try SQL.save(license, over: loaded, on: self)
        case .activation(let activation): try SQL.save(activation, on: self)
        case .event(let event): try SQL.append(event, on: self)
        case .tenant(let id, let name): try SQL.saveTenant(id, name: name, on: self)
        case .product(let product): try SQL.save(product, on: self)
        case .policy(let policy, let product): try SQL.save(policy, in: product, on: self)
        case .removePolicy(let policy): try SQL.remove(policy, on: self)
        case .removeProduct(let product): try SQL.remove(product, on: self)
        case .signingKey(let key): try SQL.save(key, on: self)
        case .token(let token): try SQL.save(token, on: self)
        case .setting(let name, let value): try SQL.saveSetting(name, value: value, on: self)
        case .remember(let answer): try SQL.save(answer, on: self)
        case .forgetAnswers(let moment): try SQL.forgetAnswers(before: moment, on: self)
        case .marketplace(let marketplace, let tenant): try SQL.save(marketplace, of: tenant, on: self)
        case .removeMarketplace(let tenant): try SQL.removeMarketplace(of: tenant, on: self)
        case .app(let app, let tenant): try SQL.save(app, of: tenant, on: self)
        case .removeApp(let item, let tenant): try SQL.remove(item, of: tenant, on: self)
        case .appAsset(let asset): try SQL.save(asset, on: self)
        case .marketplaceKey(let key): try SQL.save(key, on: self)
        case .account(let account): try SQL.save(account, on: self)
        case .credential(let credential): try SQL.save(credential, on: self)
        case .licenseCredential(let credential): try SQL.save(credential, on: self)
        case .forgetCredentials(let moment):
            try SQL.forgetCredentials(before: moment, on: self)
            try SQL.forgetLicenseCredentials(before: moment, on: self)
        case .appGrant(let grant): try SQL.save(grant, on: self)
        case .appLicense(let license): try SQL.save(license, on: self)
        case .trial(let trial): try SQL.save(trial, on: self)
        }
    }
}
