package import TenureCore
package import TenureHTTP

/// A caller of the operator API, authenticated by an operator token of a tenant.
package struct OperatorCaller: TenantCaller {
    /// The tenant that the token belongs to.
    package let tenant: TenantID
    /// The token as the actor of the caller's changes.
    package let actor: Actor
    package let scopes: [String]
}

extension Authentication where Caller == OperatorCaller {
    /// Authenticates by a token that has this scope and belongs to the tenant in the path.
    ///
    /// An unknown tenant and an unknown token get the same error. Only a caller that knows the token's text learns
    /// that the token has expired or was revoked.
    package static func `operator`(_ scope: String, by context: FeatureContext) -> Authentication {
        Authentication(scope: scope, members: [.tenant]) { request, path, _ in
            guard let bearer = request.bearer else { throw Failure.tokenMissing }
            guard let tenant = path["tenant"].flatMap({ TenantID($0) }) else { throw Failure.tokenUnknown }
            let token = try await context.authenticateOperator(bearer, of: tenant, for: scope).admitted()
            return OperatorCaller(tenant: tenant, actor: .operator(token.id), scopes: token.scopes)
        }
    }
}

extension OperatorVerification {
    /// Returns the token's record if the token is valid and has the scope.
    ///
    /// Throws ``Failure`` otherwise: 401 `token_unknown`, `token_expired` or `token_revoked`, or 403 `scope_missing`.
    package func admitted() throws -> TokenRecord {
        switch self {
        case .allowed(let token): return token
        case .unknown(let isWellFormed): throw Failure.tokenUnknown.aboutMissingRecord(isWellFormed)
        case .expired(let end):
            throw Failure.ended(
                "token_expired", "The token expired on \(end). Create a new one with `tenure token create`.")
        case .revoked(let time):
            throw Failure.ended("token_revoked", "The token was revoked on \(time). Use another token.")
        case .lacks(let scope):
            throw Failure(
                RejectedRequest(
                    403, code: "scope_missing",
                    "The token lacks the scope `\(scope)`. Create a token with `tenure token create --scope \(scope)`.")
            )
        }
    }
}

extension FieldDeclaration.Member {
    /// The declaration of the tenant in the path.
    package static var tenant: FieldDeclaration.Member {
        FieldDeclaration.Member(
            name: "tenant", location: .path, isRequired: true,
            schema: FieldType<TenantID>.slug().schema.described("The vendor."))
    }
}

extension Request {
    /// The bearer token in the `Authorization` header; `nil` without a bearer token.
    package var bearer: String? {
        guard let (scheme, token) = headers["Authorization"]?.cut(at: " "), scheme.asciiLowercased == "bearer" else {
            return nil
        }
        return String(token)
    }
}

extension Failure {
    fileprivate static let tokenMissing = Failure(
        RejectedRequest(
            401, code: "token_missing",
            "The request has no token. Send a token of this tenant as Authorization: Bearer TOKEN."),
        headers: ["WWW-Authenticate": "Bearer"])
    fileprivate static let tokenUnknown = ended(
        "token_unknown", "This tenant has no such token. `tenure token list` lists its tokens.")

    fileprivate static func ended(_ code: String, _ sentence: String) -> Failure {
        Failure(
            RejectedRequest(401, code: code, sentence), headers: ["WWW-Authenticate": "Bearer error=\"invalid_token\""])
    }

    /// The 404 failure for a path that refers to a record that doesn't exist.
    package static let notFound = Failure(
        RejectedRequest(404, code: "not_found", "Nothing was found with this name. Check the names in the path.")
    ).aboutMissingRecord()
}
