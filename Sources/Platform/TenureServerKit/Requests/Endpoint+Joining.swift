import TenureHTTP

/// Joins endpoints of several features that share a method and path.
///
/// For example, `/v1/{tenant}/licenses/{license}` serves licenses of products and of apps. A feature doesn't know the
/// other features, so the server joins their endpoints.
extension Endpoint {
    /// The condition under which an endpoint handles a request instead of an earlier feature's endpoint with the same
    /// method and path.
    package enum Precedence: Sendable {
        /// The query parameter with this name has this value.
        case query(_ name: String, _ value: String)
        /// The earlier endpoint fails with `not_found` or `scope_missing`.
        ///
        /// If this endpoint then fails with one of these codes, too, the client gets the earlier endpoint's error.
        case notFound
    }

    /// Returns a copy that may handle requests instead of an earlier feature's endpoint.
    ///
    /// Without an earlier endpoint with the same method and path, the copy handles every request there.
    package func beside(_ precedence: Precedence) -> Endpoint {
        var endpoint = self
        endpoint.precedence = precedence
        return endpoint
    }

    /// Joins each endpoint that has a precedence with the earlier endpoint that has the same method and path.
    ///
    /// All other endpoints are returned unchanged. The order stays the same.
    package static func joined(_ endpoints: [Endpoint]) -> [Endpoint] {
        var joined: [Endpoint] = []
        var places: [String: Int] = [:]
        for endpoint in endpoints {
            let route = "\(endpoint.method) \(endpoint.path)"
            if let index = places[route], let precedence = endpoint.precedence {
                joined[index] = joined[index].joined(with: endpoint, precedence)
            } else {
                places[route] = joined.count
                joined.append(endpoint)
            }
        }
        return joined
    }

    private func joined(with other: Endpoint, _ precedence: Precedence) -> Endpoint {
        var endpoint = self
        guard case .waiting(let first) = answer, case .waiting(let second) = other.answer else {
            preconditionFailure("\(method) \(path) is shared, so it may wait")
        }
        switch precedence {
        case .query(let name, let value):
            endpoint.answer = .waiting { context, snapshot in
                QueryItems(context.request.query)?[name] == value
                    ? try await second(&context, snapshot) : try await first(&context, snapshot)
            }
        case .notFound:
            endpoint.answer = .waiting { context, snapshot in
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
    /// Whether another feature's endpoint may find the record, or accept the token.
    fileprivate var isPassedOn: Bool { code == "not_found" || code == "scope_missing" }
}
