package import TenureHTTP

extension Router {
    /// A declared route with its method, pattern and handler.
    ///
    /// It's a class, because each request would otherwise copy the route.
    package final class Route: Sendable {
        /// Handles a request that matches the pattern. The function must not block its thread.
        package typealias Action = @Sendable (Request, PathParameters) async -> Response

        /// The method, in upper case.
        package let method: String

        /// The pattern as declared, such as `/{tenant}/{product}/activate`.
        ///
        /// There are few patterns but many paths, so metrics and logs use the pattern.
        package let pattern: String

        /// The number of routes that were declared before this route.
        package let position: Int

        /// The function that handles matching requests.
        package let action: Action

        /// The names in the pattern's braces, from left to right.
        let parameterNames: [String]

        /// The fixed segments and parameters that the pattern consists of, from left to right.
        let segments: [RouteSegment]

        init(method: String, pattern: String, position: Int, action: @escaping Action) {
            precondition(pattern.utf8.first == 0x2F, "a route's pattern begins with a slash: \(pattern)")
            self.method = method
            self.pattern = pattern
            self.position = position
            self.action = action
            segments =
                pattern == "/"
                ? []
                : pattern.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
                    .map { RouteSegment(Substring($0), in: pattern) }
            parameterNames = segments.compactMap { segment in
                if case .parameter(let name) = segment { name } else { nil }
            }
            precondition(Set(parameterNames).count == parameterNames.count, "parameter named twice: \(pattern)")
        }
    }
}
