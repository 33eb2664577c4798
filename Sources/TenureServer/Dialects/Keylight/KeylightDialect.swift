import TenureCore
import TenureHTTP
import TenureServerKit

/// Speaks Keylight's HTTP API (`spec/keylight.md` §1.3): translates bytes to values and back, and decides nothing.
///
/// One object, for every route holds it and every request would copy it.
final class KeylightDialect: Sendable {
    let activate: ActivateLicense
    let validate: ValidateLicense
    let deactivate: DeactivateLicense
    let catalog: CatalogCache
    let clock: any WallClock
    let configurations: SignedConfigurations
    let metrics: Metrics
    let log: any Log

    init(
        activate: ActivateLicense, validate: ValidateLicense, deactivate: DeactivateLicense, catalog: CatalogCache,
        clock: any WallClock, configurations: SignedConfigurations, metrics: Metrics, log: any Log
    ) {
        self.activate = activate
        self.validate = validate
        self.deactivate = deactivate
        self.catalog = catalog
        self.clock = clock
        self.configurations = configurations
        self.metrics = metrics
        self.log = log
    }

    /// Declares the dialect's routes.
    func declareRoutes(on router: inout Router) {
        router.on("POST", "/{tenant}/{product}/activate") { await self.answerChange($0, $1, self.respondToActivate) }
        router.on("POST", "/{tenant}/{product}/validate") { await self.answerRead($0, $1, self.respondToValidate) }
        router.on("POST", "/{tenant}/{product}/deactivate") { await self.answer($0, $1, self.respondToDeactivate) }
        router.on("POST", "/{tenant}/{product}/keyless") { await self.answer($0, $1, self.respondToKeyless) }
        router.on("GET", "/{tenant}/{product}/config") { await self.answer($0, $1, self.respondToConfig) }
        router.on("GET", "/{tenant}/.well-known/keylight-keys") { await self.answerKeys($0, $1) }
    }

    /// Finds the product, checks its SDK key, and turns every failure into an answer.
    private func answer(
        _ request: Request, _ path: PathParameters,
        _ respond: (Request, Product) async throws(KeylightFailure) -> Response
    ) async -> Response {
        await echoing(request) { () async throws(KeylightFailure) -> Response in
            try await respond(request, try admit(request, path, under: try await refreshed()))
        }
    }

    /// The same for an answer that changes nothing and rests on a read which tells the catalog's version: it is made
    /// under the cached catalog, without a look at the store, and again when the read has shown that to be old.
    private func answerRead(
        _ request: Request, _ path: PathParameters,
        _ respond: (Request, Product) async throws(KeylightFailure) -> Response
    ) async -> Response {
        await echoing(request) { () async throws(KeylightFailure) -> Response in
            var snapshot = catalog.current
            while true {
                let answer: Result<Response, KeylightFailure>
                do throws(KeylightFailure) {
                    answer = .success(try await respond(request, try admit(request, path, under: snapshot)))
                } catch {
                    if error.fault != nil { throw error }
                    answer = .failure(error)
                    _ = try await refreshed()
                }
                let latest = catalog.current
                if latest.version == snapshot.version { return try answer.get() }
                snapshot = latest
            }
        }
    }

    /// The same for a change that is saved only if its transaction finds the catalog under which the app was let in.
    private func answerChange(
        _ request: Request, _ path: PathParameters,
        _ respond: (Request, Product, CatalogSnapshot) async throws(KeylightFailure) -> Response?
    ) async -> Response {
        await echoing(request) { () async throws(KeylightFailure) -> Response in
            for _ in 0..<CatalogCache.attempts {
                let snapshot = catalog.current
                let product: Product
                do throws(KeylightFailure) {
                    product = try admit(request, path, under: snapshot)
                } catch {
                    if try await refreshed().version == snapshot.version { throw error }
                    continue
                }
                if let response = try await respond(request, product, snapshot) { return response }
                _ = try await refreshed()
            }
            throw KeylightFailure(.catalogBusy)
        }
    }

    private func answerKeys(_ request: Request, _ path: PathParameters) async -> Response {
        await echoing(request) { () async throws(KeylightFailure) -> Response in
            let snapshot = try await refreshed()
            return try respondToKeys(try tenant(path, under: snapshot), snapshot)
        }
    }

    private func refreshed() async throws(KeylightFailure) -> CatalogSnapshot {
        do throws(ServerError) {
            return try await catalog.refreshIfChanged()
        } catch {
            throw KeylightFailure(error)
        }
    }

    private func echoing(
        _ request: Request, _ respond: () async throws(KeylightFailure) -> Response
    ) async -> Response {
        var response: Response
        do throws(KeylightFailure) {
            response = try await respond()
        } catch {
            metrics.recordRefusal(code: error.code)
            if let fault = error.fault {
                log.write(
                    LogLine(.error, "request_failed", [("id", .text(request.id)), ("error", .text(fault.description))]))
            }
            response = error.response()
        }
        if let id = request.headers[Self.requestIDHeader], Self.isEchoable(id) {
            response.headers.add(Self.requestIDHeader, id)
        }
        return response
    }

    static let requestIDHeader = "X-Keylight-Request-Id"
    static let sdkKeyHeader = "X-Keylight-SDK-Key"

    private static func isEchoable(_ id: String) -> Bool {
        (1...64).contains(id.utf8.count) && id.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
