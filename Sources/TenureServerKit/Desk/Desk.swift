package import TenureHTTP

/// Answers every endpoint of every dialect: what all of them need is done here once.
///
/// Which is: the catalog's freshness, admission, reading, what becomes of a no and of a failure, the fields that every
/// answer of a style has, counting, and the log's line.
package struct Desk<Catalog: CatalogSource>: Handler {
    /// Finds an endpoint at a path that only the catalog names, with what its own path would have said.
    package typealias Elsewhere = @Sendable (Request) async -> (Endpoint<Catalog.Snapshot>, PathParameters)?

    private let clerk: Clerk<Catalog>
    private let router: Router
    private let elsewhere: Elsewhere
    /// The fields of every answer by the pattern of its path, where the style has any.
    private let fields: [String: Headers]
    private let stopwatch: @Sendable () -> Double

    /// Opens a desk.
    /// - Parameters:
    ///   - clock: While it is in doubt, endpoints that date anything answer 503; nil for one that never
    ///     is.
    ///   - changes: How many changes may be under way.
    ///   - stopwatch: Seconds on a clock that never goes back, for measuring requests.
    ///   - elsewhere: Which endpoint answers at a path that only the catalog names.
    ///   - otherwise: Answers what no endpoint takes.
    package init(
        _ endpoints: [Endpoint<Catalog.Snapshot>], under catalog: Catalog, by clock: (any WallClock)? = nil,
        metrics: Metrics, log: any Log, changes: ChangesUnderWay = ChangesUnderWay(atOnce: .max),
        stopwatch: @escaping @Sendable () -> Double,
        elsewhere: @escaping Elsewhere = { _ in nil },
        otherwise: @escaping Router.Fallback
    ) {
        let clerk = Clerk(catalog: catalog, clock: clock, metrics: metrics, log: log, changes: changes)
        var router = Router(fallback: otherwise)
        var open: Set<String> = []
        var fields: [String: Headers] = [:]
        for endpoint in endpoints {
            router.on(endpoint.method, endpoint.path) { request, path in
                await clerk.answer(endpoint, request, path)
            }
            let style = endpoint.style
            if !style.headers.fields.isEmpty { fields[endpoint.path] = style.headers }
            if let options = style.options, open.insert(endpoint.path).inserted {
                let answer = options(endpoints.filter { $0.path == endpoint.path }.map(\.method)).with(style.headers)
                router.on("OPTIONS", endpoint.path) { _, _ in answer }
            }
        }
        self.clerk = clerk
        self.router = router
        self.elsewhere = elsewhere
        self.fields = fields
        self.stopwatch = stopwatch
    }

    /// The paths and methods that are answered.
    package var routes: [Route] { router.routes }

    /// Answers, counts the answer and logs one line about it.
    package func respond(to request: Request) async -> Response {
        let began = stopwatch()
        var request = request
        request.path = Self.oneSlash(request.path)
        let match = router.match(request)
        if case .notFound = match, let (endpoint, path) = await elsewhere(request) {
            var response = await clerk.answer(endpoint, request, path)
            response.headers.add("X-Request-Id", request.id)
            note(request, route: endpoint.path, status: response.status, seconds: stopwatch() - began)
            return response
        }
        var response = await router.respond(to: request, as: match)
        if case .methodNotAllowed(let pattern, _) = match { response = response.with(fields[pattern]) }
        response.headers.add("X-Request-Id", request.id)
        note(request, route: match.pattern, status: response.status, seconds: stopwatch() - began)
        return response
    }

    /// Takes an answer that the server gives in the place of every endpoint: adds what the path's style adds to every
    /// answer, counts it and logs it like any other.
    package func answer(_ rejection: Rejection, with response: Response) -> Response {
        let request = rejection.request
        let pattern = router.match(request.method, Self.oneSlash(request.path)).pattern
        var response = pattern.map { response.with(fields[$0]) } ?? response
        response.headers.add("X-Request-Id", request.id)
        // A handler that is only late counts and logs what it comes to.
        if !rejection.isHandled { note(request, route: pattern, status: response.status, seconds: 0) }
        return response
    }

    private func note(_ request: Request, route: String?, status: Int, seconds: Double) {
        let route = route ?? "none"
        clerk.metrics.record(route: route, status: status, seconds: seconds)
        clerk.log.write(
            LogLine(
                status >= 500 ? .error : .info, "request",
                [
                    ("id", .text(request.id)), ("method", .text(Self.cut(request.method))), ("route", .text(route)),
                    ("status", .number(Int64(status))), ("us", .number(Int64(seconds * 1_000_000))),
                ]))
    }

    /// The first 16 bytes of a method: a client may send one of any length.
    private static func cut(_ method: String) -> String {
        method.utf8.count <= 16 ? method : String(decoding: method.utf8.prefix(16), as: UTF8.self)
    }

    /// Slashes at the beginning count as one: a client whose server address ends with one sends two.
    private static func oneSlash(_ path: String) -> String {
        guard path.utf8.starts(with: "//".utf8) else { return path }
        return "/" + Substring(path.utf8.drop { $0 == UInt8(ascii: "/") })
    }
}

extension Response {
    fileprivate func with(_ headers: Headers?) -> Response {
        var response = self
        for field in headers?.fields ?? [] { response.headers.add(field.name, field.value) }
        return response
    }
}
