package import TenureCore
package import TenureHTTP

/// A request to a marketplace's or vendor's pages, with the frame for the page in the response.
package struct Visit: Sendable {
    package let request: Request
    package var frame: PageFrame

    package var tenant: TenantID { frame.tenant }

    package init(request: Request, frame: PageFrame) {
        self.request = request
        self.frame = frame
    }

    /// The session cookie that the request may contain and that the response may set.
    var cookie: SessionCookie { cookie(on: frame.site) }

    /// The cookie of the tenant's sessions on another site.
    package func cookie(on site: PageSite) -> SessionCookie { SessionCookie(of: tenant, on: site, in: request) }

    /// The claims in the URL's query.
    package var claims: ResolutionClaims {
        guard let items = QueryItems(request.query) else { return .none }
        return ResolutionClaims { items[$0] }
    }

    /// Whether the request has a session cookie, which may belong to a session that has ended.
    package var hasSessionCookie: Bool { !cookie.tokens(in: request).isEmpty }

    /// Returns the first valid session among the request's tokens, and its owner; `nil` if no session is valid.
    ///
    /// Throws ``ServerError/recordMissing`` if the store may have lost the record of a token's session, and no other
    /// session is valid.
    func session<Row>(
        in sessions: PageSessions<Row>
    ) async throws(ServerError) -> (token: SessionToken, owner: Row.Owner)? {
        var loss: ServerError?
        for token in cookie.tokens(in: request) {
            do throws(ServerError) {
                if let owner = try await sessions.owner(of: token, at: tenant) { return (token, owner) }
            } catch {
                guard error.code == .recordMissing else { throw error }
                loss = error
            }
        }
        if let loss { throw loss }
        return nil
    }

    func signedIn(as whose: PageFrame.Whose, with token: SessionToken) -> Visit {
        var visit = self
        visit.frame.session = PageFrame.Session(
            whose, reference: SupportReference(of: token.hash), formCode: token.formCode(for: tenant))
        return visit
    }

    /// Sets the cookie of a new session and redirects to the start page.
    package func begin(_ token: SessionToken, for claims: ResolutionClaims = .none) -> Response {
        var response = Response.seeOther(frame.path(for: claims))
        response.headers.add("Set-Cookie", cookie.set(token))
        return response
    }

    /// Ends the request's sessions, if it has any, and deletes the cookie.
    ///
    /// Refuses the form unless it was sent from this site and has the CSRF token (``SessionToken/formCode(for:)``) of one
    /// of these sessions. A request without a session gets the same page as one whose session was ended.
    func closeSession<Row>(
        _ code: String?, with sessions: PageSessions<Row>
    ) async throws(ServerError) -> Response {
        let tokens = cookie.tokens(in: request)
        if !tokens.isEmpty {
            guard request.isFromOwnPage, let code, tokens.contains(where: { $0.accepts(code, for: tenant) }) else {
                return show(.formRefused)
            }
            for token in tokens { try await sessions.close(token, at: tenant) }
        }
        var response = show(frame.site.signedOut)
        response.status = 200
        response.headers.add("Set-Cookie", cookie.removal)
        return response
    }

    package func show(_ page: Page) -> Response { .page(page, in: frame) }

    /// Responds with the outcome of an action.
    package func show(_ outcome: OutcomeView.Outcome, for claims: ResolutionClaims = .none) -> Response {
        let view = OutcomeView(outcome, claims: claims)
        var response = show(view.page(in: frame))
        if let seconds = view.retryAfter { response.headers.add("Retry-After", String(seconds)) }
        return response
    }
}
