package import TenureHTTP

/// Chooses the route of a request by its method and path.
///
/// A pattern consists of fixed segments and parameters, such as `/{tenant}/{product}/activate`. A fixed segment takes
/// precedence over a parameter, without backtracking. A `HEAD` request uses the `GET` route; the server omits the body
/// and keeps its length.
///
/// ```swift
/// var router = Router()
/// router.on("GET", "/health") { _, _ in .text("ok") }
/// router.on("POST", "/{tenant}/{product}/activate") { request, path in await activate(request, path["tenant"]!) }
/// ```
package struct Router: Handler {
    /// Handles requests without a matching route; for a 405, the router adds `Allow` to its response.
    package typealias Fallback = @Sendable (Request, Miss) async -> Response

    /// The routes in the order in which they were declared.
    package private(set) var routes: [Router.Route] = []

    private var tree = RouteTree()
    private let fallback: Fallback

    /// Creates a router without routes; by default, it responds to unmatched requests with plain text.
    package init(fallback: @escaping Fallback = Router.plainText) {
        self.fallback = fallback
    }

    /// Declares a route.
    ///
    /// It traps if a method and pattern shape are declared twice, or if the pattern is invalid. A pattern must start
    /// with a slash and have no empty segment.
    package mutating func on(_ method: String, _ pattern: String, _ action: @escaping Router.Route.Action) {
        let route = Router.Route(method: method, pattern: pattern, position: routes.count, action: action)
        let isNew = tree.insert(route.segments, method: method, route: routes.count)
        precondition(isNew, "\(method) \(pattern) is declared twice")
        routes.append(route)
    }

    /// Finds the route for a request without calling it.
    package func match(_ request: Request) -> Match {
        match(request.method, request.path)
    }

    /// Finds the route for a method and a path without a query.
    package func match(_ method: String, _ path: String) -> Match {
        var values = PathValues()
        var path = path
        guard let node = path.withUTF8({ tree.walk($0, collecting: &values) }) else { return .notFound }
        let candidates = tree.nodes[node].routes
        guard let first = candidates.first else { return .notFound }
        let routedMethod = method == "HEAD" && !candidates.contains { $0.method == "HEAD" } ? "GET" : method
        for candidate in candidates where candidate.method == routedMethod {
            let route = routes[candidate.route]
            return .route(route, PathParameters(names: route.parameterNames, values))
        }
        var allowed = candidates.map(\.method)
        if allowed.contains("GET"), !allowed.contains("HEAD") { allowed.append("HEAD") }
        return .methodNotAllowed(pattern: routes[first.route].pattern, allowed: allowed)
    }

    /// Finds the route for a request and calls it.
    package func respond(to request: Request) async -> Response {
        await respond(to: request, as: match(request))
    }

    /// Handles a request that was already matched, so that the caller can count or log by `match.pattern`.
    package func respond(to request: Request, as match: Match) async -> Response {
        switch match {
        case .route(let route, let parameters):
            return await route.action(request, parameters)
        case .notFound:
            return await fallback(request, .notFound)
        case .methodNotAllowed(_, let allowed):
            var response = await fallback(request, .methodNotAllowed(allowed: allowed))
            if response.headers["Allow"] == nil {
                response.headers.add("Allow", allowed.joined(separator: ", "))
            }
            return response
        }
    }

    /// Responds with 404 or 405 and a line of text.
    package static let plainText: Fallback = { _, miss in
        switch miss {
        case .notFound: .text(status: 404, "No endpoint has this path.\n")
        case .methodNotAllowed: .text(status: 405, "This path does not answer that method.\n")
        }
    }
}
