import TenureCore
import TenureFormats
import TenureHTTP
import TenureServerKit
import TenureStore

/// Speaks what devices with Apple's MarketplaceKit ask a marketplace server:
/// translates bytes to values and back, and decides nothing.
final class MarketplaceDialect: Sendable {
    let issue: IssueAppLicenses
    let renew: RenewAppLicenses
    let news: ReadLicenseNews
    let offering: OfferApps
    let authenticate: AuthenticateAccount
    let writer: AppLicenseWriter
    let catalog: CatalogCache
    let clock: any WallClock
    /// Where devices reach this server when it is not `https://` and the marketplace's domain.
    let baseURL: String?
    let metrics: Metrics
    let proxies: TrustedProxies

    typealias Endpoint = TenureServerKit.Endpoint<CatalogSnapshot>

    init(
        store: any Store, catalog: CatalogCache, clock: any WallClock, pool: ComputeLane, baseURL: String?,
        metrics: Metrics, refused: RefusedApps, newcomers: IssueAppLicenses.Newcomers, behind proxies: TrustedProxies
    ) {
        issue = IssueAppLicenses(
            catalog: catalog, clock: clock, refused: refused, newcomers: newcomers)
        self.proxies = proxies
        renew = RenewAppLicenses(catalog: catalog, clock: clock)
        news = ReadLicenseNews(store: store, catalog: catalog, clock: clock)
        offering = OfferApps(store: store, pool: pool, clock: clock)
        authenticate = AuthenticateAccount(store: store, clock: clock)
        writer = AppLicenseWriter(pool: pool, keyBlobs: KeyBlobCache(store: store))
        self.catalog = catalog
        self.clock = clock
        self.baseURL = baseURL
        self.metrics = metrics
    }

    /// What the dialect answers to, wherever an app's overrides lead to.
    var endpoints: [Endpoint] {
        [configuration, certificate, licenses, renewal, state, restore, updates, installToken]
    }

    /// The endpoint at a path that a catalog's override names on this server: the same as the standard one. Nil for every
    /// other path.
    ///
    /// A path that the catalog at hand does not name may be named by a newer one: that is looked at too, so that the first
    /// call of a new path finds it.
    /// - Parameter page: Where a person is told why an app does not open.
    func endpoint(overriding request: Request, page: Endpoint?) async -> (Endpoint, PathParameters)? {
        let known = catalog.current
        if let found = endpoint(overriding: request, page: page, in: known) { return found }
        guard let newer = try? await catalog.refreshIfChanged(), newer.version > known.version else { return nil }
        return endpoint(overriding: request, page: page, in: newer)
    }

    private func endpoint(
        overriding request: Request, page: Endpoint?, in snapshot: CatalogSnapshot
    ) -> (Endpoint, PathParameters)? {
        for tenant in snapshot.catalog.tenants.values {
            guard let overrides = tenant.marketplace?.overrides.values else { continue }
            for (name, place) in overrides.lazy.flatMap(\.self) where place == request.path {
                let named = name == "license.licenseResolutionURL" ? page : endpoint(named: name)
                guard let endpoint = named else { continue }
                let isHead = request.method == "HEAD" && endpoint.method == "GET"
                guard request.method == endpoint.method || isHead else { return nil }
                return (endpoint, PathParameters(names: ["tenant"], values: [tenant.id.text]))
            }
        }
        return nil
    }

    private func endpoint(named name: String) -> Endpoint? {
        switch name {
        case "license.dynamicLicenseURL": licenses
        case "license.licenseRenewalURL": renewal
        case "restore": restore
        case "updates.url": updates
        case "license.signingCertificateURL": latestCertificate { $0.signing }
        case "license.encryptionCertificateURL": latestCertificate { $0.encryption }
        default: nil
        }
    }
}

/// Where a tenant's marketplace endpoints are on this server; devices learn them from the configuration alone.
struct MarketplacePaths: Sendable {
    let tenant: TenantID

    var licenses: String { "/marketplace/\(tenant)/licenses" }
    var renewal: String { "/marketplace/\(tenant)/licenses/renew" }
    var state: String { "/marketplace/\(tenant)/licenses/state" }
    var restore: String { "/marketplace/\(tenant)/restore" }
    var updates: String { "/marketplace/\(tenant)/updates" }
    var resolution: String { "/resolve/\(tenant)" }
    /// Where the packages are that the server holds; each app has a folder there.
    var packages: String { "/adp/\(tenant)" }

    /// The page of an app, for people.
    func product(_ item: AppleItemID) -> String { "/apps/\(tenant)/\(item)" }

    /// The URL's path carries the key's name, so that a new key has a new URL and no cache confuses the two.
    func certificate(_ kid: String) -> String { "/marketplace/\(tenant)/certificates/\(kid).cer" }
}
