package import TenureCore
package import TenureHTTP

/// A request to a marketplace's or vendor's pages, with what is needed to respond with a page.
package struct Visit: Sendable {
    package let request: Request
    /// The tenant from the catalog; `nil` if the page doesn't need it, or if the catalog couldn't be read.
    package let vendor: Tenant?
    package var frame: PageFrame

    package var tenant: TenantID { frame.tenant }

    package init(request: Request, vendor: Tenant? = nil, frame: PageFrame) {
        self.request = request
        self.vendor = vendor
        self.frame = frame
    }

    /// The cookie that the request may contain and the response may set.
    package var cookie: SessionCookie { SessionCookie(of: tenant, on: frame.site, in: request) }

    /// The claims in the URL's query.
    package var claims: ResolutionClaims {
        guard let items = QueryItems(request.query) else { return .none }
        return ResolutionClaims { items[$0] }
    }

    /// Whether the request has a session cookie, which may belong to a session that has ended.
    package var hasSessionCookie: Bool { !cookie.tokens(in: request).isEmpty }

    /// The first of the request's session tokens that `find` knows, and what belongs to it; `nil` if it knows none.
    package func session<Owner>(
        _ find: (SessionToken) async throws(ServerError) -> Owner?
    ) async throws(ServerError) -> (token: SessionToken, owner: Owner)? {
        for token in cookie.tokens(in: request) {
            if let owner = try await find(token) { return (token, owner) }
        }
        return nil
    }

    /// Returns a copy with a session.
    package func signedIn(as whose: PageFrame.Whose, with token: SessionToken) -> Visit {
        var visit = self
        visit.frame.session = PageFrame.Session(
            whose, reference: SupportReference(of: token.hash), formCode: token.formCode(for: tenant))
        return visit
    }

    /// Ends the request's sessions, if it has any, and deletes the cookie.
    ///
    /// Refuses a form that lacks the code of one of them. A request without a session gets the page of a closed session
    /// too.
    ///
    /// - Parameters:
    ///   - code: The code in the submitted form.
    ///   - outcome: What the page says afterwards.
    ///   - end: Ends a session in the store.
    package func closeSession(
        _ code: String?, outcome: OutcomeView.Outcome = .licenseClosed, end: (SessionToken) async throws -> Void
    ) async throws(ServerError) -> Response {
        let tokens = cookie.tokens(in: request)
        if !tokens.isEmpty {
            guard request.isFromOwnPage, let code, tokens.contains(where: { $0.accepts(code, for: tenant) }) else {
                return show(.formRefused)
            }
            do { for token in tokens { try await end(token) } } catch { throw ServerError(thrown: error) }
        }
        var response = show(outcome)
        response.status = 200
        response.headers.add("Set-Cookie", cookie.removal)
        return response
    }

    package func show(_ page: Page) -> Response { .page(page, in: frame) }

    /// Responds with the result of an action.
    package func show(_ outcome: OutcomeView.Outcome, for claims: ResolutionClaims = .none) -> Response {
        let view = OutcomeView(outcome, claims: claims)
        var response = show(view.page(in: frame))
        if let seconds = view.retryAfter { response.headers.add("Retry-After", String(seconds)) }
        return response
    }
}
