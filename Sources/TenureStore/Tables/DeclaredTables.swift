import TenureCore

/// All tables that this program keeps, with what they are asked by.
public enum DeclaredTables {
    /// The tables in the order in which a copy saves them: what is named comes before what names it.
    public static let all: [TableShape] = [
        TenantRow.table.shape, Product.table.shape, PolicyRow.table.shape, MarketplaceRow.table.shape,
        AppRow.table.shape, VersionRow.table.shape, CatalogVersion.table.shape, SettingRecord.table.shape,
        SigningKeyRecord.table.shape, TokenRecord.table.shape, MarketplaceKeyRecord.table.shape, AppAsset.table.shape,
        Account.table.shape, AccountCredential.table.shape, AppGrant.table.shape, AppLicense.table.shape,
        License.table.shape, Activation.table.shape, LicenseCredential.table.shape, Trial.table.shape,
        EventRecord.table.shape, RememberedAnswer.table.shape, LeaderTerm.table.shape, Job.table.shape,
    ]

    /// The migrations after the first six, in the order of their identifiers.
    public static let migrations: [Migration] = [.jobs].sorted { $0.id < $1.id }

    /// The identifiers of all migrations, in their order; the last one names the schema.
    public static let schema: [String] = MigrationID.allCases.map(\.rawValue) + migrations.map(\.id)

    /// The keys and sets of all tables.
    public static let sets: [SetShape] = keys + software + marketplaces + own

    private static let keys = [
        TenantRow.table.key.shape, Product.table.key.shape, PolicyRow.table.key.shape,
        MarketplaceRow.table.key.shape, AppRow.table.key.shape, VersionRow.table.key.shape,
        CatalogVersion.table.key.shape, SettingRecord.table.key.shape, SigningKeyRecord.table.key.shape,
        TokenRecord.table.key.shape, MarketplaceKeyRecord.table.key.shape, AppAsset.table.key.shape,
        Account.table.key.shape, AccountCredential.table.key.shape, AppGrant.table.key.shape,
        AppLicense.table.key.shape, License.table.key.shape, Activation.table.key.shape,
        LicenseCredential.table.key.shape, Trial.table.key.shape, EventRecord.table.key.shape,
        RememberedAnswer.table.key.shape, LeaderTerm.table.key.shape, Job.table.key.shape,
    ]

    private static let software = [
        Product.ofTenant.shape, PolicyRow.ofProduct.shape, SigningKeyRecord.byAge.shape,
        SigningKeyRecord.ofTenant.shape, License.byKey.shape, License.ofKey.shape, License.ofProduct.shape,
        License.ofPolicy.shape, License.ofHolder.shape, License.toExpire.shape, Activation.ofLicense.shape,
        Activation.live.shape, Activation.liveOfDevice.shape, Activation.releasedByHolder.shape,
        LicenseCredential.byExpiry.shape, LicenseCredential.byEnd.shape,
    ]

    private static let marketplaces = [
        MarketplaceRow.byDomain.shape, AppRow.ofTenant.shape, VersionRow.ofTenant.shape, VersionRow.ofApp.shape,
        AppAsset.ofTenant.shape, AppAsset.ofApp.shape, AppAsset.ofVersion.shape, MarketplaceKeyRecord.byAge.shape,
        MarketplaceKeyRecord.ofTenant.shape, Account.ofTenant.shape, Account.byEmail.shape,
        AccountCredential.byExpiry.shape, AccountCredential.byEnd.shape, AppGrant.ofAccount.shape,
        AppLicense.earlierOfAccount.shape, AppLicense.earlierOfDevice.shape, AppLicense.ofApp.shape,
        AppLicense.ofAccount.shape, AppLicense.ofDevice.shape,
    ]

    private static let own = [
        TokenRecord.byHash.shape, TokenRecord.byAge.shape, EventRecord.ofTenant.shape, EventRecord.ofLicense.shape,
        EventRecord.ofAccount.shape, RememberedAnswer.byAge.shape, Job.ofKind.shape, Job.inState.shape,
    ]
}
