import TenureHTTP

/// Joins endpoints of several features that share a method and path.
///
/// For example, `/v1/{tenant}/licenses/{license}` serves licenses of products and of apps. Features don't know each
/// other, so the server joins their endpoints.
extension Endpoint {
    /// When an endpoint answers in place of an earlier feature's at the same method and path.
    package enum Precedence: Sendable {
        /// If the query parameter has this value.
        case query(_ name: String, _ value: String)
        /// If the earlier one doesn't find what the path names, or the token lacks the earlier one's scope.
        case notFound
    }

    /// Returns the endpoint with a precedence over an earlier feature's.
    ///
    /// Without that feature it's used alone.
    package func beside(_ precedence: Precedence) -> Endpoint {
        var endpoint = self
        endpoint.precedence = precedence
        return endpoint
    }

    /// Joins endpoints that have a precedence with an earlier one at the same method and path.
    ///
    /// All others are returned unchanged, in their order.
    package static func joined(_ endpoints: [Endpoint]) -> [Endpoint] {
        var joined: [Endpoint] = []
        var places: [String: Int] = [:]
        for endpoint in endpoints {
            let caller = "\(endpoint.method) \(endpoint.path)"
            if let index = places[caller], let precedence = endpoint.precedence {
                joined[index] = joined[index].joined(with: endpoint, precedence)
            } else {
                places[caller] = joined.count
                joined.append(endpoint)
            }
        }
        return joined
    }

    private func joined(with other: Endpoint, _ precedence: Precedence) -> Endpoint {
        var endpoint = self
        let (first, second) = (answer, other.answer)
        switch precedence {
        case .query(let name, let value):
            endpoint.answer = { context, snapshot in
                QueryItems(context.request.query)?[name] == value
                    ? try await second(&context, snapshot) : try await first(&context, snapshot)
            }
        case .notFound:
            endpoint.answer = { context, snapshot in
                do {
                    return try await first(&context, snapshot)
                } catch let failure as Failure where failure.isPassedOn {
                    do {
                        return try await second(&context, snapshot)
                    } catch let later as Failure where later.isPassedOn {
                        throw failure
                    }
                }
            }
        }
        if let operation, let others = other.operation { endpoint.operation = operation.joined(with: others) }
        return endpoint
    }
}

extension Failure {
    /// Whether another feature may find what this one doesn't know or the token may not access there.
    fileprivate var isPassedOn: Bool { code == "not_found" || code == "scope_missing" }
}
