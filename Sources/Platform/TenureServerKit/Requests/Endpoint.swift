package import TenureHTTP

/// An endpoint as a value: its path, authentication, input and action.
///
/// An action that only reads the store is a synchronous function of ``StoreReads``. If the store returns all rows
/// without waiting, the action runs without a task.
package struct Endpoint: Sendable {
    /// The result of a request that didn't throw.
    package enum Conclusion: Sendable {
        /// A success with its response.
        case done(Response)
        case refused(Failure)
    }

    /// The version of the catalog that a request uses.
    package enum CatalogUse: Sendable {
        /// The cached version, without a query of the store.
        case cached
        /// The version that the store has when the request arrives.
        case current
        /// The version that the store has, or the cached version while the store is unavailable.
        case currentIfReachable
        /// The cached version, for a response based on a read that also returns the catalog's version.
        ///
        /// If the read shows that the cached version is outdated, the request runs again with the newer one. Only
        /// actions that only read may use this.
        case checkedByRead
        /// The cached version, for a change that is saved only if its transaction reads the same version.
        ///
        /// If the cached version is outdated, the request runs again with the newer one.
        case checkedByChange
    }

    /// The function that authenticates, decodes and handles a request.
    ///
    /// The function sets ``RequestContext/caller`` to the authenticated caller.
    enum Answer: Sendable {
        /// The function only reads. It runs again after each read that has to wait.
        case reading(@Sendable (inout RequestContext, CatalogSnapshot, inout StoreReads) throws -> Conclusion)
        /// The function may wait for anything.
        case waiting(@Sendable (inout RequestContext, CatalogSnapshot) async throws -> Conclusion)
    }

    package let method: String
    /// The pattern of the paths, such as `/v1/{tenant}/mails`.
    package let path: String
    /// The format in which requests are decoded, and responses and errors are encoded.
    package let format: ResponseFormat
    /// The version of the catalog that requests of the endpoint use.
    package let catalog: CatalogUse
    /// Whether a request signs or writes timestamps.
    ///
    /// If so, the endpoint responds with 503 while the clock is untrusted. The default is `true` for every method
    /// except `GET` and `HEAD`.
    package var isDated: Bool
    /// Whether the endpoint's requests count towards the limit on concurrent changes.
    ///
    /// The limit leaves capacity for reads and for refreshing leases. The default is `true` for methods other than
    /// `GET` and `HEAD`, unless the action only reads.
    package private(set) var countsAsChange: Bool
    /// Whether the endpoint handles requests before the catalog has been read from the store. It then uses the saved
    /// catalog or an empty one.
    package private(set) var worksWithoutStore = false
    /// The OpenAPI operation; `nil` for an endpoint whose format another specification defines.
    package internal(set) var operation: Operation?
    /// The condition under which the endpoint handles a request instead of an earlier feature's endpoint with the same
    /// method and path; `nil` for no such endpoint.
    var precedence: Precedence?

    var answer: Answer

    var isReading: Bool {
        if case .reading = answer { true } else { false }
    }

    /// Returns a copy with the given value of ``isDated``.
    package func dated(_ isDated: Bool = true) -> Endpoint {
        var endpoint = self
        endpoint.isDated = isDated
        return endpoint
    }

    /// Returns a copy that doesn't count towards the limit on concurrent changes.
    package func outsideChangeLimit() -> Endpoint {
        var endpoint = self
        endpoint.countsAsChange = false
        return endpoint
    }

    /// Returns a copy that also handles requests before the catalog has been read.
    package func workingWithoutStore() -> Endpoint {
        var endpoint = self
        endpoint.worksWithoutStore = true
        return endpoint
    }

    /// The number of bytes beyond which a body is decoded on a thread other than the one that received it.
    private static var longBody: Int { 64 << 10 }

    /// Declares an endpoint.
    ///
    /// - Parameters:
    ///   - authentication: Authenticates a request.
    ///   - reads: The members that are decoded from an authenticated request.
    ///   - operation: The OpenAPI operation.
    ///   - action: Creates the response. The action may throw ``Failure`` and ``ServerError``.
    package init<Caller: Sendable, Input: Sendable>(
        _ method: String, _ path: String, format: ResponseFormat, catalog: CatalogUse,
        authentication: Authentication<Caller>, reads fields: Fields<Input>, operation: Operation? = nil,
        _ action: @escaping @Sendable (Call<Caller, Input>) async throws -> Conclusion
    ) {
        let authenticate = authentication.authenticate
        self.init(
            method, path, format, catalog, authentication, fields.declaration, operation,
            .waiting { context, snapshot in
                let caller =
                    switch authenticate {
                    case .inPlace(let authenticate): try authenticate(context.request, context.path, snapshot)
                    case .waiting(let authenticate): try await authenticate(context.request, context.path, snapshot)
                    }
                context.caller = caller
                let input =
                    context.request.body.count > Self.longBody
                    ? try await fields.apart(context.request, context.path, as: format)
                    : try fields.input(of: context.request, context.path, as: format)
                return try await action(Call(request: context.request, caller: caller, input: input))
            })
    }

    /// Declares an endpoint whose action only reads the store, and doesn't wait for anything else.
    ///
    /// Traps if its authentication waits, if its bodies may be long, or if its catalog isn't one of
    /// ``CatalogUse/cached``, ``CatalogUse/current`` and ``CatalogUse/checkedByRead``.
    ///
    /// - Parameters:
    ///   - authentication: Authenticates a request.
    ///   - reads: The members that are decoded from an authenticated request.
    ///   - action: Creates the response from rows that it reads. The action may run several times, so it must not
    ///     change anything before its last read. It may throw ``Failure`` and ``ServerError``, and must rethrow errors
    ///     of its reads.
    package init<Caller: Sendable, Input: Sendable>(
        _ method: String, _ path: String, format: ResponseFormat, catalog: CatalogUse,
        authentication: Authentication<Caller>, reads fields: Fields<Input>,
        _ action: @escaping @Sendable (Call<Caller, Input>, inout StoreReads) throws -> Conclusion
    ) {
        let authenticate = authentication.inPlace(for: path)
        Self.checkLength(of: fields, as: format, for: path)
        self.init(
            method, path, format, catalog, authentication, fields.declaration, nil,
            .reading { context, snapshot, reads in
                let caller = try authenticate(context.request, context.path, snapshot)
                context.caller = caller
                let input = try fields.input(of: context.request, context.path, as: format)
                return try action(Call(request: context.request, caller: caller, input: input), &reads)
            })
    }

    /// Traps if a body may be so long that it must be decoded on another thread.
    private static func checkLength<Input>(of fields: Fields<Input>, as format: ResponseFormat, for path: String) {
        precondition(
            fields.declaration.body == .none || fields.limit(as: format).map { $0 <= longBody } ?? false,
            "\(path) takes long bodies, so it has to wait")
    }

    private init<Caller>(
        _ method: String, _ path: String, _ format: ResponseFormat, _ catalog: CatalogUse,
        _ authentication: Authentication<Caller>, _ declaration: FieldDeclaration, _ operation: Operation?,
        _ answer: Answer
    ) {
        self.method = method
        self.path = path
        self.format = format
        self.catalog = catalog
        self.answer = answer
        isDated = method != "GET" && method != "HEAD"
        let isReading: Bool
        switch (answer, catalog) {
        case (.reading, .cached), (.reading, .current), (.reading, .checkedByRead): isReading = true
        case (.reading, _), (.waiting, .checkedByRead): preconditionFailure("\(method) \(path) can't use this catalog")
        case (.waiting, _): isReading = false
        }
        countsAsChange = isDated && !isReading
        var declaration = declaration
        if case .ignored = format.unknownMembers { declaration.isClosed = false }
        self.operation = operation?.at(
            method, path, authentication.members, declaration, scope: authentication.scope,
            credentials: authentication.credentials)
    }
}

/// An authenticated and decoded request.
package struct Call<Caller: Sendable, Input: Sendable>: Sendable {
    package let request: Request
    package let caller: Caller
    package let input: Input
    /// Identifies the request by its idempotency key; `nil` for a request without a key.
    package var repeatable: RepeatableRequest?
}
