extension Router {
    /// What the router found for a method and a path.
    public enum Match: Sendable {
        /// A route and the decoded values of its parameters.
        case route(Route, PathParameters)
        /// Nothing is declared there, or the path is malformed.
        case notFound
        /// The pattern is declared, but for other methods; `allowed` is what the `Allow` field will say.
        case methodNotAllowed(pattern: String, allowed: [String])

        /// The declared pattern, for metrics and logs; nil when nothing matched.
        public var pattern: String? {
            switch self {
            case .route(let route, _): route.pattern
            case .methodNotAllowed(let pattern, _): pattern
            case .notFound: nil
            }
        }
    }

    /// Why no route answers a request.
    public enum Miss: Sendable, Hashable {
        /// Nothing is declared there, or the path is malformed: 404.
        case notFound
        /// The path is declared for the methods named, not for this one: 405.
        case methodNotAllowed(allowed: [String])
    }
}
