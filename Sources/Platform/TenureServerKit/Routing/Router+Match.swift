extension Router {
    /// The result of matching a method and a path.
    package enum Match: Sendable {
        /// A route and the decoded values of its parameters.
        case route(Router.Route, PathParameters)
        /// No route has this path, or the path is malformed.
        case notFound
        /// The path has routes only for other methods: the pattern of these routes, and the methods for the `Allow`
        /// header.
        case methodNotAllowed(pattern: String, allowed: [String])

        /// The matched pattern, for metrics and logs; `nil` if no route has this path.
        package var pattern: String? {
            switch self {
            case .route(let route, _): route.pattern
            case .methodNotAllowed(let pattern, _): pattern
            case .notFound: nil
            }
        }
    }

    /// The reason why no route handles a request.
    package enum Miss: Sendable, Hashable {
        /// No route has this path, or the path is malformed: 404.
        case notFound
        /// The path has routes, but only for the listed methods: 405.
        case methodNotAllowed(allowed: [String])
    }
}
