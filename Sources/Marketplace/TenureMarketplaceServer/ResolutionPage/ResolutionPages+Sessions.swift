import TenureCore
import TenureHTTP
import TenureMarketplace
import TenureServerKit

extension ResolutionPages {
    /// The start page: the public one, or the one for a session's account.
    func start(_ visit: Visit) async throws(ServerError) -> Response {
        let claims = visit.claims
        guard visit.hasSessionCookie else { return everyone(visit, claims) }
        guard let (token, account) = try await account(of: visit) else {
            var response = everyone(visit, claims, sessionEnded: true)
            response.headers.add("Set-Cookie", visit.cookie.removal)
            return response
        }
        guard let explained = try await context.explainApps(account, of: claims.item) else {
            return .noPage(for: visit.request)
        }
        let visit = visit.signedIn(as: .person(account.account.text), with: token)
        return visit.show(PersonalView(claims, explained).page(in: visit.frame))
    }

    private func everyone(_ visit: Visit, _ claims: ResolutionClaims, sessionEnded: Bool = false) -> Response {
        guard let marketplace = visit.vendor?.marketplace else { return .noPage(for: visit.request) }
        return visit.show(PublicView(claims, at: marketplace, sessionEnded: sessionEnded).page(in: visit.frame))
    }

    /// Opens a session by password.
    ///
    /// An unknown name gets the same response as a wrong password.
    func signIn(_ visit: Visit, _ form: Form) async throws(ServerError) -> Response {
        guard visit.request.isFromOwnPage else { return visit.show(.formRefused) }
        let claims = form.claims
        guard visit.vendor?.marketplace?.signInURL == nil else { return visit.show(.formRefused, for: claims) }
        let outcome: OpenSession.Outcome
        if let name = form.account, name.utf8.count <= SignInForm.longestName, let password = form.password {
            outcome = try await openSession(
                name, password: password, at: visit.tenant, from: proxies.source(of: visit.request))
        } else {
            outcome = .wrong
        }
        switch outcome {
        case .opened(let token, _): return begin(token, visit, claims)
        case .tooMany(let seconds): return visit.show(.tooMany(retryAfter: seconds), for: claims)
        case .wrong:
            let trouble = SignInPageText.wrong(in: visit.frame.language)
            return visit.show(SignInForm(claims: claims, trouble: trouble).page(status: 403, in: visit.frame))
        }
    }

    /// Opens a session with a one-time link, which works only once.
    func useLink(_ visit: Visit, _ form: Form) async throws(ServerError) -> Response {
        guard visit.request.isFromOwnPage else { return visit.show(.formRefused) }
        guard let link = form.link else { return visit.show(.linkSpent) }
        switch try await context.useLink(link, at: visit.tenant) {
        case .opened(let token, _): return begin(token, visit, .none)
        case .spent: return visit.show(.linkSpent)
        }
    }

    /// Ends the session.
    ///
    /// Without a session, the response is the same.
    func signOut(_ visit: Visit, _ form: Form) async throws(ServerError) -> Response {
        try await visit.closeSession(form.code, outcome: .signedOut) { token in
            try await context.closeSession(token, at: visit.tenant)
        }
    }

    /// The account of the request's session, with its token.
    func account(of visit: Visit) async throws(ServerError) -> (token: SessionToken, owner: AccountRef)? {
        try await visit.session { token throws(ServerError) in
            try await context.account(of: token, at: visit.tenant)
        }
    }

    private func begin(_ token: SessionToken, _ visit: Visit, _ claims: ResolutionClaims) -> Response {
        var response = Response.seeOther(visit.frame.path(for: claims))
        response.headers.add("Set-Cookie", visit.cookie.set(token))
        return response
    }
}
