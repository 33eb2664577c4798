public import TenureCore

/// Rows of one part of a store, in the order of their keys; texts are ordered by their UTF-8 bytes.
public enum StorePage: Sendable, Hashable {
    /// The whole catalog, with its version.
    case catalog(Catalog)
    /// Settings by name.
    case settings([SettingRecord])
    /// Signing keys by tenant and name.
    case signingKeys([SigningKeyRecord])
    /// Tokens by id.
    case tokens([TokenRecord])
    /// Marketplace keys by tenant, purpose and name.
    case marketplaceKeys([MarketplaceKeyRecord])
    /// App assets by tenant, app, version and name.
    case appAssets([AppAsset])
    /// Accounts by tenant and id.
    case accounts([Account])
    /// Credentials by the bytes of their hashes.
    case credentials([AccountCredential])
    /// App grants by tenant, account and app.
    case appGrants([AppGrant])
    /// App licenses by id.
    case appLicenses([AppLicense])
    /// Licenses by id.
    case licenses([License])
    /// Activations by the bytes of their ids.
    case activations([Activation])
    /// Credentials of licenses' holders by the bytes of their hashes.
    case licenseCredentials([LicenseCredential])
    /// Trials by tenant, product and the bytes of the device's hash.
    case trials([Trial])
    /// Events by sequence number.
    case events([EventRecord])
    /// Remembered answers by the bytes of their keys.
    case answers([RememberedAnswer])

    /// The part that the rows belong to.
    public var part: StorePart {
        switch self {
        case .catalog: .catalog
        case .settings: .settings
        case .signingKeys: .signingKeys
        case .tokens: .tokens
        case .marketplaceKeys: .marketplaceKeys
        case .appAssets: .appAssets
        case .accounts: .accounts
        case .credentials: .credentials
        case .appGrants: .appGrants
        case .appLicenses: .appLicenses
        case .licenses: .licenses
        case .activations: .activations
        case .licenseCredentials: .licenseCredentials
        case .trials: .trials
        case .events: .events
        case .answers: .answers
        }
    }

    /// How many rows there are; a catalog has one for each tenant, product, policy, marketplace, app and version.
    public var count: Int {
        switch self {
        case .catalog(let catalog):
            catalog.tenants.values.reduce(0) { count, tenant in
                count + 1 + tenant.products.values.reduce(0) { $0 + 1 + $1.policies.count }
                    + (tenant.marketplace.map { 1 + $0.apps.values.reduce(0) { $0 + 1 + $1.versions.count } } ?? 0)
            }
        case .settings(let rows): rows.count
        case .signingKeys(let rows): rows.count
        case .tokens(let rows): rows.count
        case .marketplaceKeys(let rows): rows.count
        case .appAssets(let rows): rows.count
        case .accounts(let rows): rows.count
        case .credentials(let rows): rows.count
        case .appGrants(let rows): rows.count
        case .appLicenses(let rows): rows.count
        case .licenses(let rows): rows.count
        case .activations(let rows): rows.count
        case .licenseCredentials(let rows): rows.count
        case .trials(let rows): rows.count
        case .events(let rows): rows.count
        case .answers(let rows): rows.count
        }
    }
}

/// A value of the server's own, with its name.
public struct SettingRecord: Sendable, Hashable {
    /// Its name.
    public let name: String
    /// The value.
    public let value: [UInt8]

    /// Pairs the two.
    public init(name: String, value: [UInt8]) {
        self.name = name
        self.value = value
    }
}
