import TenureCore
import TenureLicensing
import TenureLicensingServer
import TenureMarketplace
import TenureMarketplaceServer
import TenureServerKit
import TenureStore

/// A row that a test saves or removes, whatever the store contains.
///
/// A list of puts is saved as one change (``TenureStore/Store/save(_:)``). Each put sees the rows of earlier puts.
struct Put: Sendable {
    /// Whether the put changes rows of tables whose changes run alone.
    let isAlone: Bool
    /// The queries whose rows the put needs: the full names of keys or sets, with the values to query.
    let wants: [(set: String, values: [StoredValue])]
    /// Returns the writes of the put for the current rows.
    let saves: @Sendable (inout PutState) -> [RowWrite]

    private init(
        _ wants: [(SetShape, [StoredValue])], _ saves: @escaping @Sendable (inout PutState) -> [RowWrite]
    ) {
        isAlone = wants.contains { $0.0.table.changesAlone }
        self.wants = wants.map { ($0.fullName, $1) }
        self.saves = saves
    }

    private static func row<Row: Stored>(_ row: Row) -> Put {
        Put([(Row.table.key.shape, row.keyValues)]) { state in [state.put(row)] }
    }

    static func tenant(id: TenantID, name: String) -> Put { row(TenantRow(id: id, name: name)) }
    static func product(_ product: Product) -> Put { row(product) }
    static func policy(_ policy: Policy, in product: ProductRef) -> Put {
        row(PolicyRow(product: product, policy: policy))
    }
    static func license(_ license: License) -> Put { row(license) }
    static func activation(_ activation: Activation) -> Put { row(activation) }
    static func lastSeen(_ seen: LastSeen) -> Put { row(seen) }
    static func licenseCredential(_ credential: LicenseCredential) -> Put { row(credential) }
    static func signingKey(_ key: SigningKeyRecord) -> Put { row(key) }
    static func preparedKey(_ key: SigningKeyRecord.Prepared) -> Put { row(key) }
    static func formerKey(_ key: FormerKey) -> Put { row(key) }
    static func trialDevice(_ device: Trial.Device) -> Put { row(device) }
    static func token(_ token: TokenRecord) -> Put { row(token) }
    static func remember(_ answer: IdempotentResponse) -> Put { row(answer) }
    static func job(_ job: Job) -> Put { row(job) }
    static func tenantVersion(_ version: TenantVersion) -> Put { row(version) }
    static func leader(_ term: LeaderTerm) -> Put { row(term) }
    static func marketplace(_ marketplace: Marketplace, of tenant: TenantID) -> Put {
        row(MarketplaceRow(tenant: tenant, marketplace: marketplace))
    }
    static func appAsset(_ asset: AppAsset) -> Put { row(asset) }
    static func marketplaceKey(_ key: MarketplaceKeyRecord) -> Put { row(key) }
    static func account(_ account: Account) -> Put { row(account) }
    static func credential(_ credential: AccountCredential) -> Put { row(credential) }
    static func signIn(_ signIn: SignIn) -> Put { row(signIn) }
    static func appGrant(_ grant: AppGrant) -> Put { row(grant) }
    static func appLicense(_ license: AppLicense) -> Put { row(license) }

    static func event(_ event: Event) -> Put { Put([]) { _ in [.append(EventRecord(sequence: 0, event: event))] } }

    /// Saves a trial unless it already exists.
    static func trial(_ trial: Trial) -> Put {
        Put([(Trial.table.key.shape, trial.keyValues)]) { state in
            state.find(Trial.self, trial.keyValues) == nil ? [state.put(trial)] : []
        }
    }

    /// Saves a setting; `nil` removes it.
    static func setting(name: String, value: [UInt8]?) -> Put {
        guard let value else { return removing(SettingRecord.self, [.of(name)]) }
        return row(SettingRecord(name: name, value: value))
    }

    static func removePolicy(_ policy: PolicyRef) -> Put {
        removing(
            PolicyRow.self, [.of(policy.product.tenant), .of(policy.product.product), .of(policy.policy)])
    }

    /// Removes a product with its policies.
    static func removeProduct(_ product: ProductRef) -> Put {
        let name: [StoredValue] = [.of(product.tenant), .of(product.product)]
        return Put([(PolicyRow.ofProduct.shape, name), (Product.table.key.shape, name)]) { state in
            state.remove(PolicyRow.self) { $0.product == product } + state.remove(Product.self) { $0.ref == product }
        }
    }

    /// Saves an app with its versions; other versions are removed, after their assets.
    static func app(_ app: MarketplaceApp, of tenant: TenantID) -> Put {
        let row = AppRow(tenant: tenant, app: app)
        let wants = [AppRow.table.key.shape, VersionRow.ofApp.shape, AppAsset.ofApp.shape].map { ($0, row.keyValues) }
        return Put(wants) { state in
            var saves = [state.put(row)]
            saves += state.remove(AppAsset.self) { asset in
                asset.tenant == tenant && asset.ref.item == app.item && app.versions[asset.ref.version] == nil
            }
            saves += state.remove(VersionRow.self) { version in
                version.tenant == tenant && version.item == app.item && app.versions[version.version.id] == nil
            }
            for version in app.versions.values {
                saves.append(state.put(VersionRow(tenant: tenant, item: app.item, version: version)))
            }
            return saves
        }
    }

    /// Removes an app with its versions and assets.
    static func removeApp(_ item: AppleItemID, of tenant: TenantID) -> Put {
        let wants = [AppRow.table.key.shape, VersionRow.ofApp.shape, AppAsset.ofApp.shape]
        return Put(wants.map { ($0, [.of(tenant), .of(item)]) }) { state in
            state.remove(AppAsset.self) { $0.tenant == tenant && $0.ref.item == item }
                + state.remove(VersionRow.self) { $0.tenant == tenant && $0.item == item }
                + state.remove(AppRow.self) { $0.tenant == tenant && $0.app.item == item }
        }
    }

    /// Removes a marketplace with its apps, their versions and assets.
    static func removeMarketplace(of tenant: TenantID) -> Put {
        let wants = [
            MarketplaceRow.table.key.shape, AppRow.ofTenant.shape, VersionRow.ofTenant.shape, AppAsset.ofTenant.shape,
        ]
        return Put(wants.map { ($0, [.of(tenant)]) }) { state in
            state.remove(AppAsset.self) { $0.tenant == tenant } + state.remove(VersionRow.self) { $0.tenant == tenant }
                + state.remove(AppRow.self) { $0.tenant == tenant }
                + state.remove(MarketplaceRow.self) { $0.tenant == tenant }
        }
    }

    private static func removing<Row: Stored>(_ type: Row.Type, _ key: [StoredValue]) -> Put {
        Put([(Row.table.key.shape, key)]) { state in state.remove(Row.self) { $0.keyValues == key } }
    }
}
