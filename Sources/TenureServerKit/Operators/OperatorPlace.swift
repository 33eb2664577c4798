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
    /// Lets in who shows a working token of the tenant in the path, with this scope. An unknown tenant and an unknown
    /// token are refused alike; that a token ended is told to who shows its text.
    package static func `operator`(_ scope: String, by authenticate: Authenticate) -> Admission {
        Admission(scope: scope, members: [.tenant]) { request, path, _ in
            guard let bearer = request.bearer else { throw Failure.tokenMissing }
            guard let tenant = path["tenant"].flatMap({ TenantID($0) }) else { throw Failure.tokenUnknown }
            let token = try await authenticate(bearer, of: tenant, for: scope).admitted()
            return OperatorPlace(tenant: tenant, actor: .operator(token.id))
        }
    }
}

extension Authenticate.Outcome {
    /// The token that may do what it asks. Throws ``Failure`` for every other: 401 `token_unknown`, `token_expired`,
    /// `token_revoked`; 403 `scope_missing`.
    package func admitted() throws -> TokenRecord {
        switch self {
        case .allowed(let token): return token
        case .unknown: throw Failure.tokenUnknown
        case .expired(let end): throw Failure.ended("token_expired", "The token ended on \(end); make a new one.")
        case .revoked(let moment):
            throw Failure.ended("token_revoked", "The token was revoked on \(moment); use another one.")
        case .lacks(let scope):
            throw Failure(TurnedAway(403, code: "scope_missing", "The token has not the scope \(scope)."))
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
    fileprivate static let tokenMissing = Failure(
        TurnedAway(401, code: "token_missing", "Send a token of this tenant as Authorization: Bearer TOKEN."),
        headers: ["WWW-Authenticate": "Bearer"])
    fileprivate static let tokenUnknown = ended(
        "token_unknown", "This tenant has no such token; `tenure token list` shows those that there are.")

    fileprivate static func ended(_ code: String, _ sentence: String) -> Failure {
        Failure(
            TurnedAway(401, code: code, sentence), headers: ["WWW-Authenticate": "Bearer error=\"invalid_token\""])
    }

    /// There is nothing of the name in the path.
    package static let notFound = Failure(
        TurnedAway(404, code: "not_found", "There is nothing of that name here."))
}
