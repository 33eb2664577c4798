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

    /// Returns a copy with a session.
    package func signedIn(as whose: PageFrame.Whose, with token: SessionToken) -> Visit {
        var visit = self
        visit.frame.session = PageFrame.Session(
            whose, reference: SupportReference(of: token.hash), formCode: token.formCode(for: tenant))
        return visit
    }

    /// Ends the request's session, if it has one, and deletes the cookie.
    ///
    /// Refuses a form that lacks the session's code. A request without a session gets the page of a closed session too.
    ///
    /// - Parameters:
    ///   - code: The code in the submitted form.
    ///   - end: Ends the session in the store.
    package func closeSession(
        _ code: String?, end: (SessionToken) async throws -> Void
    ) async throws(ServerError) -> Response {
        if let token = cookie.token(in: request) {
            guard request.isFromOwnPage, let code, token.accepts(code, for: tenant) else { return show(.formRefused) }
            do { try await end(token) } catch { throw ServerError(thrown: error) }
        }
        var response = show(.licenseClosed)
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
