import TenureCore
import TenureFormats
import TenureHTTP
import TenureServerKit

/// Speaks Tenure's own dialect (`Documentation/leases.md`): every yes and every no is signed and bound to its request.
///
/// One object, for every route holds it and every request would copy it.
final class TenureDialect: Sendable {
    let activate: ActivateLicense
    let validate: ValidateLicense
    let deactivate: DeactivateLicense
    let trial: StartTrial
    let listDevices: ListDevices
    let releaseByHolder: ReleaseByHolder
    let catalog: CatalogCache
    let clock: any WallClock
    let metrics: Metrics
    let log: any Log

    init(
        activate: ActivateLicense, validate: ValidateLicense, deactivate: DeactivateLicense, trial: StartTrial,
        listDevices: ListDevices, releaseByHolder: ReleaseByHolder, catalog: CatalogCache, clock: any WallClock,
        metrics: Metrics, log: any Log
    ) {
        self.activate = activate
        self.validate = validate
        self.deactivate = deactivate
        self.trial = trial
        self.listDevices = listDevices
        self.releaseByHolder = releaseByHolder
        self.catalog = catalog
        self.clock = clock
        self.metrics = metrics
        self.log = log
    }

    /// Declares the dialect's routes.
    func declareRoutes(on router: inout Router) {
        let leases = "/v1/{tenant}/{product}/leases"
        router.on("POST", "\(leases)/activate") { await self.answerChange($0, $1, self.respondToActivate) }
        router.on("POST", "\(leases)/renew") { await self.answerRead($0, $1, self.respondToRenew) }
        router.on("POST", "\(leases)/release") { await self.answer($0, $1, self.respondToRelease) }
        router.on("POST", "\(leases)/trial") { await self.answer($0, $1, self.respondToTrial) }
        router.on("POST", "\(leases)/devices") { await self.answer($0, $1, self.respondToDevices) }
        router.on("POST", "\(leases)/devices/release") { await self.answer($0, $1, self.respondToReleaseDevice) }
        router.on("GET", "\(leases)/keyset") { await self.answer($0, $1, self.respondToKeyset) }
        router.on("GET", "\(leases)/product") { await self.answer($0, $1, self.respondToProduct) }
    }

    /// Finds the product, checks its SDK key, and turns every failure into an answer.
    private func answer(
        _ request: Request, _ path: PathParameters,
        _ respond: (Request, Product, CatalogSnapshot) async throws(TenureFailure) -> Response
    ) async -> Response {
        await finishing(request) { () async throws(TenureFailure) -> Response in
            let snapshot = try await refreshed()
            return try await respond(request, try admit(request, path, under: snapshot), snapshot)
        }
    }

    /// The same for an answer that rests on a read which tells the catalog's version: made under the cached catalog,
    /// and again when the read has shown that to be old.
    private func answerRead(
        _ request: Request, _ path: PathParameters,
        _ respond: (Request, Product) async throws(TenureFailure) -> Response
    ) async -> Response {
        await finishing(request) { () async throws(TenureFailure) -> Response in
            var snapshot = catalog.current
            while true {
                let answer: Result<Response, TenureFailure>
                do throws(TenureFailure) {
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
        _ respond: (Request, Product, CatalogSnapshot) async throws(TenureFailure) -> Response?
    ) async -> Response {
        await finishing(request) { () async throws(TenureFailure) -> Response in
            for _ in 0..<CatalogCache.attempts {
                let snapshot = catalog.current
                let product: Product
                do throws(TenureFailure) {
                    product = try admit(request, path, under: snapshot)
                } catch {
                    if try await refreshed().version == snapshot.version { throw error }
                    continue
                }
                if let response = try await respond(request, product, snapshot) { return response }
                _ = try await refreshed()
            }
            throw TenureFailure(.catalogBusy)
        }
    }

    private func refreshed() async throws(TenureFailure) -> CatalogSnapshot {
        try await passing { () async throws(ServerError) in try await self.catalog.refreshIfChanged() }
    }

    private func finishing(
        _ request: Request, _ respond: () async throws(TenureFailure) -> Response
    ) async -> Response {
        var response: Response
        do throws(TenureFailure) {
            response = try await respond()
        } catch {
            metrics.recordRefusal(code: error.problem.code)
            if let fault = error.fault {
                log.write(
                    LogLine(.error, "request_failed", [("id", .text(request.id)), ("error", .text(fault.description))]))
            }
            response = error.response()
        }
        response.headers.add("Cache-Control", "no-store")
        return response
    }

    /// Calls a use case; what it cannot do becomes an answer.
    func passing<Outcome>(
        _ call: () async throws(ServerError) -> Outcome
    ) async throws(TenureFailure) -> Outcome {
        do throws(ServerError) {
            return try await call()
        } catch {
            throw TenureFailure(error)
        }
    }
}
