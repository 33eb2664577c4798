import TenureCore
import TenureHTTP
import TenureMarketplace
import TenureServerKit

extension SignInPages {
    /// Shows the sign-in form, or redirects to the shop if the marketplace's accounts belong to the shop.
    func begin(_ caller: Caller) throws(ServerError) -> Response {
        let visit = caller.visit
        guard let items = QueryItems(visit.request.query) else {
            return visit.show(.stranger(.invalidRequest))
        }
        let requested: AuthorizationRequest
        switch AuthorizationRequest.read({ items[$0] }, at: caller.marketplace) {
        case .stranger(let why): return visit.show(.stranger(why))
        case .wrong(let redirect, let error, let state):
            return .seeOther(at: redirect.with([("error", error), ("state", state)]))
        case .request(let request): requested = request
        }
        let origin = SignInText.Origin.random()
        let binding = SignIn.Binding(
            client: origin.digest(ofClient: requested.client), challenge: requested.challenge,
            redirect: requested.redirect.text)
        return try begin(.app(binding, state: requested.state), origin, caller) { sealed in
            let view = SignInView(pending: sealed, name: requested.hint ?? "")
            return .page(view.page(in: visit.frame), in: visit.frame, formsLeadTo: [requested.redirect.source])
        }
    }

    /// Redirects from the resolution page to the shop's sign-in.
    func beginPage(_ caller: Caller) throws(ServerError) -> Response {
        guard caller.marketplace.signInURL != nil, caller.marketplace.resolutionPage else {
            return .noPage(for: caller.visit.request)
        }
        let claims = caller.visit.claims
        return try begin(.page(claims), .random(), caller) { _ in .noPage(for: caller.visit.request) }
    }

    private func begin(
        _ purpose: PendingSignIn.Purpose, _ origin: SignInText.Origin, _ caller: Caller, form: (String) -> Response
    ) throws(ServerError) -> Response {
        let cookie = caller.cookie
        // Two tabs of one browser share the cookie, and a new one would break the sign-in in the first tab.
        let token = cookie.tokens(in: caller.visit.request).first ?? .random()
        let pending = PendingSignIn(
            origin: origin, browser: token.hash, until: context.clock.now().adding(seconds: SignInCookie.lifetime),
            purpose: purpose)
        let sealed = try pending.sealed(for: caller.tenant, under: context.catalog.secrets.pendingSignIns)
        var response: Response
        if let shop = caller.marketplace.signInURL {
            let back =
                caller.address
                + PagePath(PageSite.signIn.segments(of: caller.tenant) + ["back"], query: [("state", sealed)]).text
            response = .seeOther(
                at: shop + (shop.contains(byte: "?") ? "&" : "?") + "return=" + PagePath.encoded(back)
                    + "&state="
                    + PagePath.encoded(sealed))
        } else {
            response = form(sealed)
        }
        response.headers.add("Set-Cookie", cookie.set(token))
        return response
    }

    /// Handles the submitted sign-in form.
    func submit(_ form: Form, _ caller: Caller) async throws(ServerError) -> Response {
        let visit = caller.visit
        guard visit.request.isFromOwnPage, let pending = try pending(form.pending, caller),
            pending.began(in: caller.cookie.tokens(in: visit.request)),
            case .app(let binding, let state) = pending.purpose,
            caller.marketplace.signInURL == nil
        else { return visit.show(.formRefused) }
        guard let redirect = Redirect(binding.redirect ?? "", at: caller.marketplace),
            context.clock.now() < pending.until
        else {
            return visit.show(.over)
        }
        if form.isCancelled {
            return .seeOther(at: redirect.with([("error", "access_denied"), ("state", state)]))
        }
        let proof: IdentityProof
        if let link = form.link {
            proof = .link(String(link.split(atByte: "/").last ?? ""))
        } else {
            let outcome: PasswordProof
            if let name = form.account, name.utf8.count <= SignInForm.longestName, let password = form.password {
                outcome = try await context.provePassword(
                    name, password: password, at: caller.tenant, from: proxies.source(of: visit.request),
                    tries: passwords)
            } else {
                outcome = .wrong
            }
            switch outcome {
            case .proven(let account, let hash): proof = .password(account, hash: hash)
            case .tooMany(let seconds): return visit.show(.tooMany(retryAfter: seconds))
            case .wrong:
                return again(
                    form, redirect, caller, .wrong)
            }
        }
        switch try await context.issueCode(pending, for: binding, by: proof, at: caller.tenant) {
        case .issued(let code):
            return .seeOther(at: redirect.with([("code", code.text), ("state", state)]))
        case .over: return visit.show(.over)
        case .unknownLink:
            if case .link(let link) = proof, CredentialText.isWellFormed(link) { try context.catalog.checkLoss() }
            return again(form, redirect, caller, .linkSpent)
        case .wrong:
            let isLink = if case .link = proof { true } else { false }
            return again(
                form, redirect, caller,
                isLink ? .linkSpent : .wrong)
        }
    }

    private func again(_ form: Form, _ redirect: Redirect, _ caller: Caller, _ trouble: SignInPageText) -> Response {
        let frame = caller.visit.frame
        let view = SignInView(
            pending: form.pending ?? "", name: form.account ?? "", trouble: trouble(in: frame.language),
            isLinkOpen: form.link != nil)
        return .page(view.page(status: 403, in: frame), in: frame, formsLeadTo: [redirect.source])
    }

    /// Completes a sign-in that the shop has confirmed, if the link was opened in the browser that began the sign-in.
    func end(
        _ link: String, _ pending: PendingSignIn?, _ caller: Caller
    ) async throws(ServerError) -> Response {
        let visit = caller.visit
        guard let pending, let link = SignInText(link), link.kind == .link, link.origin == pending.origin else {
            return visit.show(.over)
        }
        guard pending.began(in: caller.cookie.tokens(in: visit.request)) else { return visit.show(.otherBrowser) }
        // The router sends HEAD requests here too. Without this check, a link scanner in the same browser would use up
        // the link.
        if visit.request.method == "HEAD" { return .pageWithoutBody }
        switch pending.purpose {
        case .app(let binding, let state):
            guard let redirect = Redirect(binding.redirect ?? "", at: caller.marketplace),
                let code = try existing(await context.finishShopSignIn(link, for: binding, at: caller.tenant))
            else { return visit.show(.over) }
            return .seeOther(at: redirect.with([("code", code.text), ("state", state)]))
        case .page(let claims):
            guard let session = try existing(await context.openSession(byShopLink: link, at: caller.tenant)) else {
                return visit.show(.over)
            }
            var response = visit.show(.signedIn(claims))
            response.headers.add("Set-Cookie", visit.cookie(on: .resolution).set(session))
            return response
        }
    }

    /// Returns the result of using a link; `nil` if the link was used or has expired. If the link is unknown, throws if
    /// the store may have lost it, and otherwise returns `nil`.
    private func existing<Value>(_ outcome: ShopSignIn<Value>) throws(ServerError) -> Value? {
        switch outcome {
        case .completed(let value): return value
        case .spent: return nil
        case .unknown:
            try context.catalog.checkLoss()
            return nil
        }
    }

    /// Handles the return of a person who didn't sign in at the shop.
    func back(_ pending: PendingSignIn?, _ caller: Caller) -> Response {
        let visit = caller.visit
        guard let pending else { return visit.show(.over) }
        guard pending.began(in: caller.cookie.tokens(in: visit.request)) else { return visit.show(.otherBrowser) }
        switch pending.purpose {
        case .app(let binding, let state):
            guard let redirect = Redirect(binding.redirect ?? "", at: caller.marketplace) else {
                return visit.show(.over)
            }
            return .seeOther(at: redirect.with([("error", "access_denied"), ("state", state)]))
        case .page(let claims):
            return .seeOther(
                PageFrame(.resolution, tenant: caller.tenant, marketplace: caller.marketplace.name).path(for: claims))
        }
    }
}
