package import TenureHTTP

/// Chooses the route of a request by its method and path.
///
/// A pattern consists of fixed segments and parameters, such as `/{tenant}/{product}/activate`. A fixed segment takes
/// precedence over a parameter, without backtracking. Without a `HEAD` route, a `HEAD` request uses the `GET` route.
/// The server then omits the body but keeps its length.
///
/// ```swift
/// var router = Router()
/// router.on("GET", "/health") { _, _ in .text("ok") }
/// router.on("POST", "/{tenant}/{product}/activate") { request, path in await activate(request, path["tenant"]!) }
/// ```
package struct Router: Handler {
    /// Responds to requests without a matching route. The router adds the `Allow` header to a 405 response that lacks
    /// one.
    package typealias Fallback = @Sendable (Request, Miss) async -> Response

    /// The routes in the order in which they were declared.
    package private(set) var routes: [Router.Route] = []

    private var tree = RouteTree()
    private let fallback: Fallback

    /// Creates a router without routes. By default, it responds to unmatched requests with plain text.
    package init(fallback: @escaping Fallback = Router.plainText) {
        self.fallback = fallback
    }

    /// Declares a route.
    ///
    /// Traps if an earlier route has the same method and the same segments, apart from names of parameters. Also traps
    /// if the pattern is invalid: it must start with a slash and have no empty segment.
    package mutating func on(_ method: String, _ pattern: String, _ action: @escaping Router.Route.Action) {
        let route = Router.Route(method: method, pattern: pattern, position: routes.count, action: action)
        let isNew = tree.insert(route.segments, method: method, route: routes.count)
        precondition(isNew, "\(method) \(pattern) is declared twice")
        routes.append(route)
    }

    /// Finds the route for a request, without calling its action.
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

    /// Finds the route for a request, and calls its action.
    package func respond(to request: Request) async -> Response {
        await respond(to: request, as: match(request))
    }

    /// Responds to a request that was already matched. The caller can use `match.pattern` for metrics and logs.
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
