package import TenureCore
package import TenureHTTP

/// Where an operator is let in: with a tenant, as the holder of a token.
package struct OperatorPlace: TenantPlace {
    /// The tenant.
    package let tenant: TenantID
    /// Who calls.
    package let actor: Actor
}

extension Admission where Place == OperatorPlace {
    /// Lets in who shows a working token of the tenant in the path, with this scope. An unknown tenant and a wrong
    /// token are refused alike.
    package static func `operator`(_ scope: String, by authenticate: Authenticate) -> Admission {
        Admission(scope: scope, members: [.tenant]) { request, path, _ in
            guard let bearer = request.bearer, let tenant = path["tenant"].flatMap({ TenantID($0) }) else {
                throw Failure.tokenInvalid
            }
            switch try await authenticate(bearer, of: tenant, for: scope) {
            case .unknown: throw Failure.tokenInvalid
            case .lacks(let scope):
                throw Failure(TurnedAway(403, code: "scope_missing", "The token has not the scope \(scope)."))
            case .allowed(let token): return OperatorPlace(tenant: tenant, actor: .operator(token.id))
            }
        }
    }
}

extension FieldDeclaration.Member {
    /// The vendor in the path.
    package static var tenant: FieldDeclaration.Member {
        FieldDeclaration.Member(
            name: "tenant", place: .path, isRequired: true,
            schema: Shape<TenantID>.slug().schema.described("The vendor."))
    }
}

extension Request {
    /// What `Authorization: Bearer` names; nil without one.
    package var bearer: String? {
        guard let field = headers["Authorization"], field.lowercased().hasPrefix("bearer ") else { return nil }
        return String(field.dropFirst("bearer ".count))
    }
}

extension Failure {
    fileprivate static let tokenInvalid = Failure(
        TurnedAway(
            401, code: "token_invalid", "Send a working token of this tenant as Authorization: Bearer TOKEN."),
        headers: ["WWW-Authenticate": "Bearer"])

    /// There is nothing of the name in the path.
    package static let notFound = Failure(
        TurnedAway(404, code: "not_found", "There is nothing of that name here."))
}
