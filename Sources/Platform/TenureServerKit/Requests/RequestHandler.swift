package import TenureHTTP

/// Handles the requests of all endpoints, in every dialect.
///
/// It performs the steps that all requests share: it finds the endpoint, adds the response headers of the format,
/// records metrics and logs the request. ``EndpointRunner`` performs the other steps.
package struct RequestHandler: Handler {
    /// Finds the endpoint and path parameters of a request whose path only the catalog defines; `nil` if the catalog
    /// doesn't define the path.
    package typealias FallbackRoute = @Sendable (Request) async -> (Endpoint, PathParameters)?

    private let runner: EndpointRunner
    private let router: Router
    private let fallbackRoute: FallbackRoute
    /// The response headers of each path's format, by path pattern.
    private let fields: [String: Headers]
    private let stopwatch: @Sendable () -> Double
    /// The endpoints by the position of their route; `nil` for routes that respond to `OPTIONS`.
    private let places: [Place?]

    /// A class that contains an endpoint, because each request would otherwise copy the endpoint.
    private final class Place: Sendable {
        let endpoint: Endpoint

        init(_ endpoint: Endpoint) { self.endpoint = endpoint }
    }

    /// Creates a handler for endpoints.
    ///
    /// - Parameters:
    ///   - clock: The clock; dated endpoints respond with 503 while it's untrusted. `nil` if the clock is always
    ///     trusted.
    ///   - stopwatch: A monotonic clock in seconds, for measuring requests.
    ///   - fallbackRoute: Finds the endpoint for a path that only the catalog defines.
    ///   - otherwise: Responds to a request if no endpoint matches.
    package init(
        _ endpoints: [Endpoint], under catalog: CatalogCache, by clock: (any WallClock)? = nil,
        metrics: Metrics, log: any Log,
        stopwatch: @escaping @Sendable () -> Double,
        fallbackRoute: @escaping FallbackRoute = { _ in nil },
        otherwise: @escaping Router.Fallback
    ) {
        let runner = EndpointRunner(catalog: catalog, clock: clock, metrics: metrics, log: log)
        var router = Router(fallback: otherwise)
        var open: Set<String> = []
        var fields: [String: Headers] = [:]
        var places: [Place?] = []
        for endpoint in endpoints {
            router.on(endpoint.method, endpoint.path) { request, path in
                await runner.answer(endpoint, request, path)
            }
            places.append(Place(endpoint))
            let format = endpoint.format
            if !format.headers.fields.isEmpty { fields[endpoint.path] = format.headers }
            if let options = format.options, open.insert(endpoint.path).inserted {
                let answer = options(endpoints.filter { $0.path == endpoint.path }.map(\.method)).with(format.headers)
                router.on("OPTIONS", endpoint.path) { _, _ in answer }
                places.append(nil)
            }
        }
        self.runner = runner
        self.router = router
        self.fallbackRoute = fallbackRoute
        self.fields = fields
        self.stopwatch = stopwatch
        self.places = places
    }

    /// The methods and path patterns of all endpoints.
    package var routes: [Router.Route] { router.routes }

    /// Responds to a request, records its metrics and logs one line.
    ///
    /// It responds on the calling thread if the endpoint only reads and no read has to wait.
    package func handle(_ request: Request) -> HandlerResult {
        let began = stopwatch()
        var request = request
        request.path = Self.oneSlash(request.path)
        let match = router.match(request)
        guard case .route(let route, let path) = match, let matched = places[route.position], matched.endpoint.isReading
        else {
            return .pending(isChange: isChange(request, match)) { [request] in
                await respond(to: request, as: match, since: began)
            }
        }
        switch runner.handle(matched.endpoint, request, path) {
        case .response(let response):
            return .response(complete(response, to: request, route: route.pattern, since: began))
        case .pending(let isChange, let respond):
            return .pending(isChange: isChange) { [request] in
                complete(await respond(), to: request, route: route.pattern, since: began)
            }
        }
    }

    /// Whether a request counts towards the limit on concurrent changes.
    private func isChange(_ request: Request, _ match: Router.Match) -> Bool {
        switch match {
        case .route(let route, _): places[route.position]?.endpoint.countsAsChange ?? false
        // The catalog may define an endpoint for the path, which isn't known yet.
        case .notFound: !["GET", "HEAD"].contains(request.method)
        case .methodNotAllowed: false
        }
    }

    private func respond(to request: Request, as match: Router.Match, since began: Double) async -> Response {
        if case .notFound = match, let (endpoint, path) = await fallbackRoute(request) {
            let response = await runner.answer(endpoint, request, path)
            return complete(response, to: request, route: endpoint.path, since: began)
        }
        var response = await router.respond(to: request, as: match)
        if case .methodNotAllowed(let pattern, _) = match { response = response.with(fields[pattern]) }
        return complete(response, to: request, route: match.pattern, since: began)
    }

    private func complete(
        _ response: consuming Response, to request: Request, route: String?, since began: Double
    ) -> Response {
        response.headers.add("X-Request-Id", request.id)
        note(request, route: route, status: response.status, seconds: stopwatch() - began)
        return response
    }

    /// Completes a response that the HTTP server sends instead of an endpoint's response.
    ///
    /// If the server has no free slot for the request, the response has the endpoint's format. Any other response gets
    /// the headers of the path's format. Records metrics and logs the request.
    package func answer(_ rejection: Rejection, with response: Response) -> Response {
        let request = rejection.request
        let match = router.match(request.method, Self.oneSlash(request.path))
        let pattern = match.pattern
        var response = pattern.map { response.with(fields[$0]) } ?? response
        if rejection.status == 503, !rejection.isHandled, case .route(let route, let path) = match,
            let endpoint = places[route.position]?.endpoint
        {
            response = runner.busy(endpoint, request, path)
        }
        response.headers.add("X-Request-Id", request.id)
        // If a handler was called, that handler records and logs the request, even if its response comes too late.
        if !rejection.isHandled { note(request, route: pattern, status: response.status, seconds: 0) }
        return response
    }

    private func note(_ request: Request, route: String?, status: Int, seconds: Double) {
        let route = route ?? "none"
        runner.metrics.record(route: route, status: status, seconds: seconds)
        runner.log.write(
            RequestLine(
                id: request.id, method: Self.cut(request.method), route: route, status: status,
                microseconds: Int64(seconds * 1_000_000)))
    }

    /// The first 16 bytes of a method, for the log. A client can send a method of any length.
    private static func cut(_ method: String) -> String {
        method.utf8.count <= 16 ? method : String(decoding: method.utf8.prefix(16), as: UTF8.self)
    }

    /// Collapses leading slashes into one.
    ///
    /// If a client's configured server URL ends with a slash, its paths start with two slashes.
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
