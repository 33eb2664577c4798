import TenureCore
import TenureHTTP
import TenureMarketplace
import TenureServerKit
import TenureStore

/// The endpoints for devices with Apple's MarketplaceKit.
///
/// The endpoints only read requests and write responses; the use cases that they call make the decisions.
final class MarketplaceDialect: Sendable {
    let context: MarketplaceContext
    let writer: AppLicenseWriter
    /// The value of `--base-url`, which is the origin of the server's only marketplace; `nil` for `https://` and the
    /// marketplace's domain.
    let baseURL: String?
    let metrics: Metrics
    let proxies: TrustedProxies
    let limits: AppIssuanceLimits
    let rate = AppLicenseRateLimit()

    init(_ server: ServerContext, _ context: MarketplaceContext, limits: AppIssuanceLimits) {
        self.context = context
        self.limits = limits
        writer = AppLicenseWriter(
            pool: server.compute, keyBlobs: KeyBlobCache(store: server.store), log: server.log)
        baseURL = server.baseURL
        metrics = server.metrics
        proxies = server.proxies
    }

    /// The standard endpoints, which stay available even if an app overrides them.
    var endpoints: [Endpoint] {
        [configuration, certificate, licenses, renewal, state, restore, updates, installToken]
    }

    /// The endpoint at a path that the catalog names as an override, or named until recently; `nil` for any other path.
    ///
    /// If the cached catalog doesn't name the path, the catalog is read again, so that the first call of a new path
    /// succeeds.
    ///
    /// - Parameter page: The endpoint of the resolution page.
    func endpoint(overriding request: Request, page: Endpoint?) async -> (Endpoint, PathParameters)? {
        let snapshot = context.catalog.current
        if let found = endpoint(overriding: request, page: page, in: snapshot) { return found }
        guard let newer = try? await context.catalog.refreshIfChanged(), newer.version > snapshot.version else {
            return nil
        }
        return endpoint(overriding: request, page: page, in: newer)
    }

    private func endpoint(
        overriding request: Request, page: Endpoint?, in snapshot: CatalogSnapshot
    ) -> (Endpoint, PathParameters)? {
        let marketplaces = snapshot.catalog.tenants.values.lazy.compactMap { tenant in
            tenant.marketplace.map { (tenant.id, $0) }
        }
        let isNamed = { (path: String) in path == request.path }
        for (tenant, marketplace) in marketplaces {
            for (name, path) in marketplace.overrides.values.lazy.flatMap(\.self) where isNamed(path) {
                guard let endpoint = endpoint(named: name, page: page) else { continue }
                return answer(endpoint, to: request, of: tenant)
            }
        }
        for (tenant, marketplace) in marketplaces {
            for former in marketplace.formerPaths where isNamed(former.path) && context.clock.now() < former.until {
                guard let endpoint = endpoint(named: former.name, page: page) else { continue }
                return answer(endpoint, to: request, of: tenant)
            }
        }
        return nil
    }

    /// The endpoint with its path parameters; `nil` if the endpoint doesn't serve the request's method.
    private func answer(_ endpoint: Endpoint, to request: Request, of tenant: TenantID) -> (Endpoint, PathParameters)? {
        let isHead = request.method == "HEAD" && endpoint.method == "GET"
        guard request.method == endpoint.method || isHead else { return nil }
        return (endpoint, PathParameters(names: ["tenant"], values: [tenant.text]))
    }

    private func endpoint(named name: String, page: Endpoint?) -> Endpoint? {
        switch name {
        case "license.licenseResolutionURL": page
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

/// The paths of a tenant's marketplace endpoints, which devices learn only from the configuration.
struct MarketplacePaths: Sendable {
    let tenant: TenantID

    var licenses: String { "/marketplace/\(tenant)/licenses" }
    var renewal: String { "/marketplace/\(tenant)/licenses/renew" }
    var state: String { "/marketplace/\(tenant)/licenses/state" }
    var restore: String { "/marketplace/\(tenant)/restore" }
    var updates: String { "/marketplace/\(tenant)/updates" }
    var resolution: String { "/resolve/\(tenant)" }
    /// The path below which the server's packages are served, with a folder for each app.
    var packages: String { "/adp/\(tenant)" }

    /// The path of an app's product page.
    func product(_ item: AppleItemID) -> String { "/apps/\(tenant)/\(item)" }

    /// The path of a certificate.
    ///
    /// The path contains the key id, so a cache can't confuse a new certificate with an old one.
    func certificate(_ kid: String) -> String { "/marketplace/\(tenant)/certificates/\(kid).cer" }
}
