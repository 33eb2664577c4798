public import TenureCore

/// The looks that see the whole catalog, of one moment.
public struct CatalogLooks: Sendable {
    private let version: RowLook<CatalogVersion>
    private let tenants: RowsLook<TenantRow>
    private let products: RowsLook<Product>
    private let policies: RowsLook<PolicyRow>
    private let marketplaces: RowsLook<MarketplaceRow>
    private let apps: RowsLook<AppRow>
    private let versions: RowsLook<VersionRow>
    private let keyedAssets: ViewLook<KeyedAsset>

    /// Takes them down.
    public init(_ ask: inout Asking) {
        version = ask.row(CatalogVersion.table.key)
        tenants = ask.rows(TenantRow.table.all, upTo: Asking.everything)
        products = ask.rows(Product.table.all, upTo: Asking.everything)
        policies = ask.rows(PolicyRow.table.all, upTo: Asking.everything)
        marketplaces = ask.rows(MarketplaceRow.table.all, upTo: Asking.everything)
        apps = ask.rows(AppRow.table.all, upTo: Asking.everything)
        versions = ask.rows(VersionRow.table.all, upTo: Asking.everything)
        keyedAssets = ask.view(KeyedAsset.all)
    }

    /// Puts the catalog together.
    public func catalog(in seen: Seen) -> Catalog {
        var catalog = Catalog(version: seen[version]?.version ?? 0)
        for row in seen[tenants] { catalog.tenants[row.id] = Tenant(id: row.id, name: row.name) }
        for product in seen[products] {
            catalog.tenants[product.ref.tenant]?.products[product.ref.product] = product
        }
        for row in seen[policies] {
            catalog.tenants[row.product.tenant]?.products[row.product.product]?.policies[row.policy.id] = row.policy
        }
        for row in seen[marketplaces] { catalog.tenants[row.tenant]?.marketplace = row.marketplace }
        for row in seen[apps] { catalog.tenants[row.tenant]?.marketplace?.apps[row.app.item] = row.app }
        for row in seen[versions] {
            catalog.tenants[row.tenant]?.marketplace?.apps[row.item]?.versions[row.version.id] = row.version
        }
        for asset in seen[keyedAssets] {
            catalog.tenants[asset.tenant]?.marketplace?.apps[asset.ref.item]?.versions[asset.ref.version]?.keyedAssets
                .insert(asset.ref.asset)
        }
        return catalog
    }

    /// The form of a reader, who may see it at any time.
    public static let form = LoadForm(CatalogLooks.init)
}
