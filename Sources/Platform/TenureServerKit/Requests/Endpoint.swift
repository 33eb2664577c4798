package import TenureHTTP

/// An endpoint as a value: its path, authentication, input and action.
///
/// `Snapshot` is the catalog that a request uses from start to finish.
package struct Endpoint<Snapshot: Sendable>: Sendable {
    /// The result of a request that didn't throw.
    package enum Conclusion: Sendable {
        /// A success with its response.
        case done(Response)
        /// The request is refused.
        case refused(Failure)
        /// Nothing was saved because the catalog changed after the request was authenticated; try again.
        case stale
    }

    /// Which catalog a request uses.
    package enum Freshness: Sendable {
        /// The version that the store has when the request arrives.
        case checked
        /// The cached version, for a response based on a read that also returns the catalog's version.
        ///
        /// If the read shows that the cached version is old, the request runs again with the newer one.
        case read
        /// The cached version, for a change that is saved only under the catalog of its own transaction.
        ///
        /// If the cached version is old, the request runs again with the newer one.
        case change
        /// The cached version, without querying the store.
        case kept
        /// The version that the store has, or the cached one while the store is unavailable.
        case checkedIfAvailable
    }

    /// The HTTP method.
    package let method: String
    /// The path's pattern.
    package let path: String
    /// How requests are decoded, and responses and errors encoded.
    package let style: ResponseFormat
    /// Which catalog its requests use.
    package let freshness: Freshness
    /// Whether a request signs or writes timestamps.
    ///
    /// If so, the endpoint answers 503 while the clock is untrusted. True by default for every method except `GET` and
    /// `HEAD`.
    package var isDated: Bool
    /// Whether its requests count towards the limit on concurrent changes, which leaves capacity for reads and
    /// refreshes.
    ///
    /// True by default for methods other than `GET` and `HEAD`, unless the freshness is ``Freshness/read``.
    package private(set) var isChange: Bool
    /// Whether it answers before the catalog has been read from the store, with the saved or an empty catalog.
    package private(set) var worksWithoutStore = false
    /// The OpenAPI operation; `nil` for formats that others define.
    package internal(set) var operation: Operation?
    /// When it answers instead of another feature's endpoint at the same method and path; `nil` if it's alone there.
    var precedence: Precedence?

    /// Authenticates, decodes and answers a request.
    ///
    /// Sets ``RequestContext/caller`` to the authenticated caller.
    var answer: @Sendable (inout RequestContext, Snapshot) async throws -> Conclusion

    /// Returns a copy with another ``isDated``.
    package func dated(_ isDated: Bool = true) -> Endpoint {
        var endpoint = self
        endpoint.isDated = isDated
        return endpoint
    }

    /// Returns a copy with another ``isChange``.
    package func changing(_ isChange: Bool) -> Endpoint {
        var endpoint = self
        endpoint.isChange = isChange
        return endpoint
    }

    /// Returns a copy that also answers before the catalog has been read.
    package func workingWithoutStore() -> Endpoint {
        var endpoint = self
        endpoint.worksWithoutStore = true
        return endpoint
    }

    /// Bodies over this many bytes are decoded off the thread that received them.
    private static var longBody: Int { 64 << 10 }

    /// Declares an endpoint.
    ///
    /// - Parameters:
    ///   - authentication: How a request is authenticated.
    ///   - reads: What is decoded from an authenticated request.
    ///   - operation: The OpenAPI operation.
    ///   - action: Answers. May throw ``Failure`` and ``ServerError``.
    package init<Caller: Sendable, Input: Sendable>(
        _ method: String, _ path: String, _ style: ResponseFormat, _ freshness: Freshness,
        authentication: Authentication<Snapshot, Caller>, reads fields: Fields<Input>, operation: Operation? = nil,
        _ action: @escaping @Sendable (Call<Caller, Input>) async throws -> Conclusion
    ) {
        self.method = method
        self.path = path
        self.style = style
        isDated = method != "GET" && method != "HEAD"
        self.freshness = freshness
        if case .read = freshness { isChange = false } else { isChange = isDated }
        var declaration = fields.declaration
        if case .ignored = style.unknownMembers { declaration.isClosed = false }
        self.operation = operation?.at(
            method, path, authentication.members, declaration, scope: authentication.scope,
            credentials: authentication.credentials)
        let authenticate = authentication.authenticate
        answer = { context, snapshot in
            let caller = try await authenticate(context.request, context.path, snapshot)
            context.caller = caller
            let input =
                context.request.body.count > Self.longBody
                ? try await fields.apart(context.request, context.path, as: style)
                : try fields(context.request, context.path, as: style)
            return try await action(Call(request: context.request, caller: caller, input: input))
        }
    }
}

/// An authenticated and decoded request.
package struct Call<Caller: Sendable, Input: Sendable>: Sendable {
    package let request: Request
    /// The authenticated caller.
    package let caller: Caller
    /// The decoded input.
    package let input: Input
    /// Identifies the request by its idempotency key; `nil` if it has none.
    package var repeatable: RepeatableRequest?
}

/// How callers are authenticated, and as what.
package struct Authentication<Snapshot: Sendable, Caller: Sendable>: Sendable {
    /// The scope that the token needs; `nil` if no token is required.
    package let scope: String?
    /// The accepted credentials, for OpenAPI: any one of these is enough.
    ///
    /// Empty if none is needed.
    package let credentials: [SecurityScheme]
    /// The path parameters that it uses, for OpenAPI.
    package let members: [FieldDeclaration.Member]

    let authenticate: @Sendable (Request, PathParameters, Snapshot) async throws -> Caller

    /// Authenticates by the request, its path and the catalog.
    ///
    /// The closure throws ``Failure`` to reject a request.
    package init(
        scope: String? = nil, credentials: [SecurityScheme] = [.operatorToken], members: [FieldDeclaration.Member] = [],
        _ authenticate: @escaping @Sendable (Request, PathParameters, Snapshot) async throws -> Caller
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
