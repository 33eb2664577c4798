import TenureCore
import TenureStore

extension Connection {
    /// Reads the licenses and rights that a decision or an explanation needs to see.
    func load(_ keys: AppKeys) throws(StoreError) -> LoadedApps {
        var loaded = LoadedApps()
        var rights: Set<AppRightRef> = []
        for id in keys.licenses {
            guard let license = try first(.appLicenseOfTenant, [.license(id), .slug(keys.tenant)], AppLicense.read)
            else { continue }
            loaded.licenses[id] = license
            if let account = license.account { rights.insert(AppRightRef(account: account, item: license.item)) }
        }
        let account = Value(.account(keys.account))
        for item in keys.items {
            if let device = keys.device {
                let earlier = try all(
                    .earlierAppLicenses, [.blob(device), .slug(keys.tenant), Value(.item(item)), account],
                    AppLicense.read)
                if !earlier.isEmpty { loaded.earlier[item] = earlier }
            }
            if let account = keys.account { rights.insert(AppRightRef(account: account, item: item)) }
        }
        for right in rights {
            let account = AccountRef(tenant: keys.tenant, account: right.account)
            loaded.rights[right] = try self.right(of: account, to: right.item, at: keys.now)
        }
        return loaded
    }

    /// Reads a right; counts no further than any app's limit can reach.
    func right(of account: AccountRef, to item: AppleItemID, at now: Timestamp) throws(StoreError) -> AppRight {
        let name: [Value] = [.slug(account.tenant), Value(.account(account.account)), Value(.item(item))]
        let enough = Int64(AppLicenseRules.highestDeviceLimit + 1)
        let holders = try all(.appHolders, name + [.moment(now), .integer(enough)]) { row throws(StoreError) in
            try row.digest(0)
        }
        return AppRight(grant: try first(.appGrant, name, AppGrant.read), holders: Set(holders))
    }
}

extension SQL {
    static let appLicense = SQL("SELECT ", AppLicense.columns, " FROM app_licenses WHERE id = ?1")
    fileprivate static let appLicenseOfTenant = SQL(
        "SELECT ", AppLicense.columns, " FROM app_licenses WHERE id = ?1 AND tenant = ?2")
    fileprivate static let earlierAppLicenses = SQL(
        "SELECT ", AppLicense.columns,
        """
         FROM app_licenses WHERE device = ?1 AND tenant = ?2 AND item = ?3 AND +account IS ?4 ORDER BY issued_at, id
        """)
    fileprivate static let appGrant = SQL(
        "SELECT ", AppGrant.columns, " FROM app_grants WHERE tenant = ?1 AND account = ?2 AND item = ?3")
    fileprivate static let appHolders = SQL(
        """
        SELECT DISTINCT device FROM app_licenses
        WHERE tenant = ?1 AND account = ?2 AND item = ?3 AND state IN ('active', 'suspended')
            AND ifnull(term_end, 9223372036854775807) > ?4
        LIMIT ?5
        """)
}
