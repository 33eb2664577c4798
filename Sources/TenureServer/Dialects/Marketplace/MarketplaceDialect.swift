import TenureCore
import TenureFormats
import TenureHTTP
import TenureServerKit
import TenureStore

/// Speaks what devices with Apple's MarketplaceKit ask a marketplace server (seeds 000-002, `spec/apple.md`):
/// translates bytes to values and back, and decides nothing.
final class MarketplaceDialect: Sendable {
    let issue: IssueAppLicenses
    let renew: RenewAppLicenses
    let news: ReadLicenseNews
    let authenticate: AuthenticateAccount
    let writer: AppLicenseWriter
    let catalog: CatalogCache
    let clock: any WallClock
    /// Where devices reach this server when it is not `https://` and the marketplace's domain.
    let baseURL: String?
    let metrics: Metrics
    let log: any Log

    init(
        store: any Store, catalog: CatalogCache, clock: any WallClock, pool: ComputeLane, baseURL: String?,
        metrics: Metrics, log: any Log
    ) {
        issue = IssueAppLicenses(catalog: catalog, clock: clock)
        renew = RenewAppLicenses(catalog: catalog, clock: clock)
        news = ReadLicenseNews(store: store, catalog: catalog, clock: clock)
        authenticate = AuthenticateAccount(store: store, clock: clock)
        writer = AppLicenseWriter(pool: pool, keyBlobs: KeyBlobCache(store: store))
        self.catalog = catalog
        self.clock = clock
        self.baseURL = baseURL
        self.metrics = metrics
        self.log = log
    }

    /// What an answered call works with: one version of the catalog, and the tenant's part of it.
    struct Place: Sendable {
        let tenant: TenantID
        let marketplace: Marketplace
        let keys: MarketplaceKeys
        let snapshot: CatalogSnapshot
    }

    typealias Answer = @Sendable (Request, Place) async throws(MarketplaceFailure) -> Response

    /// Declares the dialect's routes.
    func declareRoutes(on router: inout Router) {
        router.on("GET", "/.well-known/marketplace-kit") { request, _ in
            await self.answering(request) { () async throws(MarketplaceFailure) in
                try await self.respondToConfiguration(request)
            }
        }
        router.on("GET", "/marketplace/{tenant}/certificates/{name}") { request, path in
            await self.answer(request, path) { _, place throws(MarketplaceFailure) in
                try self.respondToCertificate(path["name"] ?? "", place)
            }
        }
        declare("POST", "/marketplace/{tenant}/licenses", on: &router, respondToLicenses)
        declare("POST", "/marketplace/{tenant}/licenses/renew", on: &router, respondToRenewal)
        declare("GET", "/marketplace/{tenant}/licenses/state", on: &router, respondToState)
    }

    private func declare(_ method: String, _ pattern: String, on router: inout Router, _ respond: @escaping Answer) {
        router.on(method, pattern) { request, path in await self.answer(request, path, respond) }
    }

    private func answer(_ request: Request, _ path: PathParameters, _ respond: Answer) async -> Response {
        await answering(request) { () async throws(MarketplaceFailure) in
            guard let tenant = path["tenant"].flatMap({ TenantID($0) }) else { throw .noMarketplace }
            return try await respond(request, try place(of: tenant, in: try await refreshed()))
        }
    }

    func place(of tenant: TenantID, in snapshot: CatalogSnapshot) throws(MarketplaceFailure) -> Place {
        guard let marketplace = snapshot.catalog.tenants[tenant]?.marketplace else { throw .noMarketplace }
        guard let keys = snapshot.marketplaceKeys[tenant] else { throw .notReady }
        return Place(tenant: tenant, marketplace: marketplace, keys: keys, snapshot: snapshot)
    }

    func refreshed() async throws(MarketplaceFailure) -> CatalogSnapshot {
        try await failing { () async throws(ServerError) in try await catalog.refreshIfChanged() }
    }

    /// Whose request it is: nil at an open marketplace, else the account that the bearer names.
    func account(of request: Request, at place: Place) async throws(MarketplaceFailure) -> AccountID? {
        place.marketplace.access == .open ? nil : try await bearer(of: request, at: place)
    }

    /// The account that the bearer names.
    func bearer(of request: Request, at place: Place) async throws(MarketplaceFailure) -> AccountID {
        guard let header = request.headers["Authorization"], header.lowercased().hasPrefix("bearer ") else {
            throw .tokenMissing
        }
        let text = String(header.dropFirst("bearer ".count))
        let account = try await failing { () async throws(ServerError) in
            try await authenticate(text, at: place.tenant)
        }
        guard let account else { throw .tokenInvalid }
        return account
    }

    /// Turns what the server could not keep into an answer.
    func failing<Value>(
        _ body: () async throws(ServerError) -> Value
    ) async throws(MarketplaceFailure) -> Value {
        do throws(ServerError) {
            return try await body()
        } catch {
            throw MarketplaceFailure(error)
        }
    }

    func answering(
        _ request: Request, _ respond: () async throws(MarketplaceFailure) -> Response
    ) async -> Response {
        do throws(MarketplaceFailure) {
            return try await respond()
        } catch {
            metrics.recordRefusal(code: error.problem.code)
            if let fault = error.fault {
                log.write(
                    LogLine(
                        .error, "request_failed", [("id", .text(request.id)), ("error", .text(fault.description))]))
            }
            return error.response
        }
    }
}
