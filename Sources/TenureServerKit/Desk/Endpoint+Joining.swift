import TenureHTTP

/// Endpoints of several rooms at one method and path, such as `/v1/{tenant}/licenses/{license}` for licenses of products
/// and of apps: no room knows another, so the server joins what they declare.
extension Endpoint {
    /// When an endpoint answers in place of an earlier room's at the same method and path.
    package enum Precedence: Sendable {
        /// If the query has this value.
        case query(_ name: String, _ value: String)
        /// If the earlier one doesn't find what the path names, or the token lacks the earlier one's scope.
        case notFound
    }

    /// The same endpoint, for use beside an earlier room's. It stands alone where that room is left out.
    package func beside(_ precedence: Precedence) -> Endpoint {
        var endpoint = self
        endpoint.precedence = precedence
        return endpoint
    }

    /// Joins endpoints that have a precedence with an earlier one at the same method and path; leaves the others as they
    /// are, in their order.
    package static func joined(_ endpoints: [Endpoint]) -> [Endpoint] {
        var joined: [Endpoint] = []
        var places: [String: Int] = [:]
        for endpoint in endpoints {
            let place = "\(endpoint.method) \(endpoint.path)"
            if let index = places[place], let precedence = endpoint.precedence {
                joined[index] = joined[index].joined(with: endpoint, precedence)
            } else {
                places[place] = joined.count
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
            endpoint.answer = { scene, snapshot in
                QueryItems(scene.request.query)?[name] == value
                    ? try await second(&scene, snapshot) : try await first(&scene, snapshot)
            }
        case .notFound:
            endpoint.answer = { scene, snapshot in
                do {
                    return try await first(&scene, snapshot)
                } catch let failure as Failure where failure.isPassedOn {
                    do {
                        return try await second(&scene, snapshot)
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
    /// Whether another room may have what this one doesn't: unknown there, or closed to the token.
    fileprivate var isPassedOn: Bool { code == "not_found" || code == "scope_missing" }
}
