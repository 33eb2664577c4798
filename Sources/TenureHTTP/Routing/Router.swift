/// Chooses who answers a request, by its method and path.
///
/// Patterns are fixed segments and parameters, `/{tenant}/{product}/activate`. A fixed segment wins over a parameter
/// and is never given up for one. `HEAD` goes where `GET` goes; the server leaves the body out and keeps its length.
///
/// ```swift
/// var router = Router()
/// router.on("GET", "/health") { _, _ in .text("ok") }
/// router.on("POST", "/{tenant}/{product}/activate") { request, path in await activate(request, path["tenant"]!) }
/// ```
public struct Router: Handler {
    /// Answers a request that no route takes. For a 405 the router adds `Allow` to what it answers.
    public typealias Fallback = @Sendable (Request, Miss) async -> Response

    /// The routes in the order they were declared.
    public private(set) var routes: [Route] = []

    private var tree = RouteTree()
    private let fallback: Fallback

    /// Makes a router without routes; what it cannot answer goes to the fallback, by default as plain text.
    public init(fallback: @escaping Fallback = Router.plainText) {
        self.fallback = fallback
    }

    /// Declares a route.
    ///
    /// It is a mistake in the program, and traps, to declare a method and shape twice, a pattern that does not begin
    /// with a slash, or an empty segment.
    public mutating func on(_ method: String, _ pattern: String, _ action: @escaping Route.Action) {
        let route = Route(method: method, pattern: pattern, action: action)
        let isNew = tree.insert(route.segments, method: method, route: routes.count)
        precondition(isNew, "\(method) \(pattern) is declared twice")
        routes.append(route)
    }

    /// Finds the route for a request; nothing is called.
    public func match(_ request: Request) -> Match {
        match(request.method, request.path)
    }

    /// Finds the route for a method and a path that has no query.
    public func match(_ method: String, _ path: String) -> Match {
        var values: [String] = []
        values.reserveCapacity(4)
        var path = path
        guard let node = path.withUTF8({ tree.walk($0, collecting: &values) }) else { return .notFound }
        let candidates = tree.nodes[node].routes
        guard let first = candidates.first else { return .notFound }
        let wanted = method == "HEAD" && !candidates.contains { $0.method == "HEAD" } ? "GET" : method
        for candidate in candidates where candidate.method == wanted {
            let route = routes[candidate.route]
            return .route(route, PathParameters(names: route.parameterNames, values: values))
        }
        var allowed = candidates.map(\.method)
        if allowed.contains("GET"), !allowed.contains("HEAD") { allowed.append("HEAD") }
        return .methodNotAllowed(pattern: routes[first.route].pattern, allowed: allowed)
    }

    /// Finds the route for a request and lets it answer.
    public func respond(to request: Request) async -> Response {
        await respond(to: request, as: match(request))
    }

    /// Answers a request that was matched before, so that a caller may count or log by `match.pattern`.
    public func respond(to request: Request, as match: Match) async -> Response {
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

    /// Answers 404 or 405 with a line of text.
    public static let plainText: Fallback = { _, miss in
        switch miss {
        case .notFound: .text(status: 404, "There is nothing at this path.\n")
        case .methodNotAllowed: .text(status: 405, "This path does not answer that method.\n")
        }
    }
}
