package import TenureHTTP

/// Answers every endpoint of every dialect: what all of them need is done here once.
///
/// Which is: the catalog's freshness, admission, reading, what becomes of a no and of a failure, the fields that every
/// answer of a style has, counting, and the log's line.
package struct Desk<Catalog: CatalogSource>: Handler {
    /// Finds an endpoint at a path that only the catalog names, with what its own path would have said.
    package typealias Elsewhere = @Sendable (Request) -> (Endpoint<Catalog.Snapshot>, PathParameters)?

    private let clerk: Clerk<Catalog>
    private let router: Router
    private let stopwatch: @Sendable () -> Double

    /// Opens a desk.
    /// - Parameters:
    ///   - stopwatch: Seconds on a clock that never goes back, for measuring requests.
    ///   - elsewhere: Which endpoint answers at a path that only the catalog names.
    ///   - otherwise: Answers what no endpoint takes.
    package init(
        _ endpoints: [Endpoint<Catalog.Snapshot>], under catalog: Catalog, metrics: Metrics, log: any Log,
        stopwatch: @escaping @Sendable () -> Double, elsewhere: @escaping Elsewhere = { _ in nil },
        otherwise: @escaping Router.Fallback
    ) {
        let clerk = Clerk(catalog: catalog, metrics: metrics, log: log)
        var router = Router { request, miss in
            if case .notFound = miss, let (endpoint, path) = elsewhere(request) {
                return await clerk.answer(endpoint, request, path)
            }
            return await otherwise(request, miss)
        }
        var open: Set<String> = []
        for endpoint in endpoints {
            router.on(endpoint.method, endpoint.path) { request, path in
                await clerk.answer(endpoint, request, path)
            }
            if let options = endpoint.style.options, open.insert(endpoint.path).inserted {
                router.on("OPTIONS", endpoint.path) { request, _ in options(request) }
            }
        }
        self.clerk = clerk
        self.router = router
        self.stopwatch = stopwatch
    }

    /// The paths and methods that are answered.
    package var routes: [Route] { router.routes }

    /// Answers, counts the answer and logs one line about it.
    package func respond(to request: Request) async -> Response {
        let began = stopwatch()
        let match = router.match(request)
        var response = await router.respond(to: request, as: match)
        let seconds = stopwatch() - began
        let route = match.pattern ?? "none"
        response.headers.add("X-Request-Id", request.id)
        clerk.metrics.record(route: route, status: response.status, seconds: seconds)
        clerk.log.write(
            LogLine(
                response.status >= 500 ? .error : .info, "request",
                [
                    ("id", .text(request.id)), ("method", .text(request.method)), ("route", .text(route)),
                    ("status", .number(Int64(response.status))), ("us", .number(Int64(seconds * 1_000_000))),
                ]))
        return response
    }
}
