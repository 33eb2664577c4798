import TenureCore
import TenureHTTP
import TenureMarketplace
import TenureServerKit

extension ResolutionPages {
    /// Releases the license of a device.
    func release(_ visit: Visit, _ form: Form) async throws(ServerError) -> Response {
        let act: Act
        switch try await authenticate(visit, form) {
        case .refused(let response): return response
        case .admitted(let admitted): act = admitted
        }
        switch try await context.releaseAppLicense(act.license, by: act.token, at: visit.tenant) {
        case .released: return act.visit.show(.released, for: act.claims)
        case .stopped: return act.visit.show(.stopped, for: act.claims)
        case .unknown: return act.visit.show(.unknownLicense, for: act.claims)
        case .noSession: return visit.show(.noSession, for: act.claims)
        }
    }

    /// Records that a person requests a license's renewal, and shows what prevents it.
    func renew(_ visit: Visit, _ form: Form) async throws(ServerError) -> Response {
        let act: Act
        switch try await authenticate(visit, form) {
        case .refused(let response): return response
        case .admitted(let admitted): act = admitted
        }
        switch try await context.askForRenewal(act.license, by: act.token, at: visit.tenant) {
        case .over: return act.visit.show(.over, for: act.claims)
        case .unknown: return act.visit.show(.unknownLicense, for: act.claims)
        case .noSession: return visit.show(.noSession, for: act.claims)
        case .bind(let license):
            let explained = try await context.explainApps(act.account, of: license.item)
            let app = explained?.apps.first
            guard let now = explained?.now, let own = app?.licenses.first(where: { $0.license.id == license.id }) else {
                return act.visit.show(.unknownLicense, for: act.claims)
            }
            let card = LicenseCard(own, of: app?.app, at: now, in: act.visit.frame.locale)
            let outcome: OutcomeView.Outcome =
                card.standing.canRenew
                ? .asked(app: card.appName, link: card.link)
                : .askedInVain(app: card.appName, headline: card.headline, cure: card.cure)
            return act.visit.show(outcome, for: act.claims)
        }
    }

    /// The validated input of an action.
    private struct Act {
        let visit: Visit
        let token: SessionToken
        let account: AccountRef
        let license: LicenseID
        let claims: ResolutionClaims
    }

    private enum ActPermission {
        case admitted(Act)
        case refused(Response)
    }

    /// Validates the origin, the session, the form's code, the rate limit and the license id, in this order.
    private func authenticate(_ visit: Visit, _ form: Form) async throws(ServerError) -> ActPermission {
        let claims = form.claims
        guard visit.request.isFromOwnPage else { return .refused(visit.show(.formRefused, for: claims)) }
        guard let (token, account) = try await account(of: visit) else {
            return .refused(visit.show(.noSession, for: claims))
        }
        let visit = visit.signedIn(as: .person(account.account.text), with: token)
        guard let code = form.code, token.accepts(code, for: visit.tenant) else {
            return .refused(visit.show(.formRefused, for: claims))
        }
        if case .refused(let seconds) = acts.authenticate(
            account.account.text, of: visit.tenant, at: context.clock.now())
        {
            return .refused(visit.show(.tooMany(retryAfter: seconds), for: claims))
        }
        guard let license = form.license.flatMap({ LicenseID(text: $0) }) else {
            return .refused(visit.show(.unknownLicense, for: claims))
        }
        return .admitted(Act(visit: visit, token: token, account: account, license: license, claims: claims))
    }
}
