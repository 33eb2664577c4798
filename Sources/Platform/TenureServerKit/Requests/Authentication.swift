package import TenureHTTP

/// Declares how callers are authenticated, and the type of an authenticated caller.
package struct Authentication<Caller: Sendable>: Sendable {
    /// The scope that the caller's token needs; `nil` if no scope is required.
    package let scope: String?
    /// The accepted credentials, for OpenAPI. The caller needs only one of them.
    ///
    /// Empty if the caller needs no credentials.
    package let credentials: [SecurityScheme]
    /// The path parameters that the authentication uses, for OpenAPI.
    package let members: [FieldDeclaration.Member]

    /// The function that authenticates a request, and that throws ``Failure`` to reject it.
    enum Check: Sendable {
        case inPlace(@Sendable (Request, PathParameters, CatalogSnapshot) throws -> Caller)
        case waiting(@Sendable (Request, PathParameters, CatalogSnapshot) async throws -> Caller)
    }

    let authenticate: Check

    /// Authenticates by the request, its path and the catalog. The closure may wait for the store.
    ///
    /// The closure throws ``Failure`` to reject a request.
    package init(
        scope: String? = nil, credentials: [SecurityScheme] = [.operatorToken], members: [FieldDeclaration.Member] = [],
        _ authenticate: @escaping @Sendable (Request, PathParameters, CatalogSnapshot) async throws -> Caller
    ) {
        self.init(scope, credentials, members, .waiting(authenticate))
    }

    /// Authenticates by only the request, its path and the catalog, without waiting.
    ///
    /// The closure throws ``Failure`` to reject a request.
    package init(
        scope: String? = nil, credentials: [SecurityScheme] = [.operatorToken], members: [FieldDeclaration.Member] = [],
        _ authenticate: @escaping @Sendable (Request, PathParameters, CatalogSnapshot) throws -> Caller
    ) {
        self.init(scope, credentials, members, .inPlace(authenticate))
    }

    /// The function that authenticates. Traps if the authentication may wait.
    func inPlace(for path: String) -> @Sendable (Request, PathParameters, CatalogSnapshot) throws -> Caller {
        guard case .inPlace(let authenticate) = authenticate else {
            preconditionFailure("the authentication of \(path) has to wait")
        }
        return authenticate
    }

    private init(
        _ scope: String?, _ credentials: [SecurityScheme], _ members: [FieldDeclaration.Member],
        _ authenticate: Check
    ) {
        self.scope = scope
        self.credentials = credentials
        self.members = members
        self.authenticate = authenticate
    }
}

extension Authentication where Caller == Void {
    /// Accepts every request.
    package static var everyone: Authentication { Authentication { _, _, _ in } }
}
