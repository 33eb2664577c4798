package import TenureCore
package import TenureHTTP
package import TenureServerKit

/// One request to a marketplace's or a vendor's pages, with what its answer is put into.
package struct Visit: Sendable {
    package let request: Request
    /// The marketplace; nil where it could not be read.
    package let marketplace: Marketplace?
    package var frame: PageFrame

    package var tenant: TenantID { frame.tenant }

    /// Takes a request down.
    package init(request: Request, marketplace: Marketplace?, frame: PageFrame) {
        self.request = request
        self.marketplace = marketplace
        self.frame = frame
    }

    /// The cookie that the request may carry and the answer may set.
    package var cookie: SessionCookie { SessionCookie(of: tenant, on: frame.site, in: request) }

    /// What the address claims.
    package var claims: ResolutionClaims {
        guard let items = QueryItems(request.query) else { return .none }
        return ResolutionClaims { items[$0] }
    }

    /// The same visit with a session's frame.
    package func signedIn(as whose: PageFrame.Whose, with token: SessionToken) -> Visit {
        var visit = self
        visit.frame.session = PageFrame.Session(
            whose, reference: SupportReference(of: token.hash), formCode: token.formCode(for: tenant))
        return visit
    }

    /// Ends a session at the word of whom it is, which is the form's code; without a session the answer is the same.
    package func closeSession(
        _ code: String?, end: (SessionToken) async throws(ServerError) -> Void
    ) async throws(ServerError) -> Response {
        if let token = cookie.token(in: request) {
            guard request.isFromOwnPage, let code, token.accepts(code, for: tenant) else { return show(.formRefused) }
            try await end(token)
        }
        var response = show(.licenseClosed)
        response.status = 200
        response.headers.add("Set-Cookie", cookie.removal)
        return response
    }

    /// Answers with a page.
    package func show(_ page: Page) -> Response { .page(page, in: frame) }

    /// Answers with what came of an act.
    package func show(_ outcome: OutcomeView.Outcome, for claims: ResolutionClaims = .none) -> Response {
        let view = OutcomeView(outcome, claims: claims)
        var response = show(view.page(in: frame))
        if let seconds = view.retryAfter { response.headers.add("Retry-After", String(seconds)) }
        return response
    }
}
