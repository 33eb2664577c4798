package import TenureHTTP

/// How callers are authenticated, and the type of an authenticated caller.
package struct Authentication<Caller: Sendable>: Sendable {
    /// The scope that the token needs; `nil` if no token is required.
    package let scope: String?
    /// The accepted credentials, for OpenAPI: any one of these is enough.
    ///
    /// Empty if none is needed.
    package let credentials: [SecurityScheme]
    /// The path parameters that it uses, for OpenAPI.
    package let members: [FieldDeclaration.Member]

    /// A function that authenticates, and throws ``Failure`` to reject a request.
    enum Check: Sendable {
        case inPlace(@Sendable (Request, PathParameters, CatalogSnapshot) throws -> Caller)
        case waiting(@Sendable (Request, PathParameters, CatalogSnapshot) async throws -> Caller)
    }

    let authenticate: Check

    /// Authenticates by the request, its path and the catalog, and may wait for the store.
    ///
    /// The closure throws ``Failure`` to reject a request.
    package init(
        scope: String? = nil, credentials: [SecurityScheme] = [.operatorToken], members: [FieldDeclaration.Member] = [],
        _ authenticate: @escaping @Sendable (Request, PathParameters, CatalogSnapshot) async throws -> Caller
    ) {
        self.init(scope, credentials, members, .waiting(authenticate))
    }

    /// Authenticates by the request, its path and the catalog alone.
    ///
    /// The closure throws ``Failure`` to reject a request.
    package init(
        scope: String? = nil, credentials: [SecurityScheme] = [.operatorToken], members: [FieldDeclaration.Member] = [],
        _ authenticate: @escaping @Sendable (Request, PathParameters, CatalogSnapshot) throws -> Caller
    ) {
        self.init(scope, credentials, members, .inPlace(authenticate))
    }

    /// The function that authenticates; traps if it may wait.
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
