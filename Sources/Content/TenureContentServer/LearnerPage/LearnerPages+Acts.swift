import TenureCore
import TenureFormats
import TenureHTTP
import TenureServerKit

extension LearnerPages {
    /// Shows the holder's page or, if there is no session, explains how to open one.
    func start(_ visit: Visit) async throws(ServerError) -> Response {
        guard visit.hasSessionCookie else {
            return visit.show(LearnerView.closed(in: visit.frame.language))
        }
        guard let (token, holder) = try await holder(of: visit) else {
            var response = visit.show(.licenseClosed)
            response.headers.add("Set-Cookie", visit.cookie.removal)
            return response
        }
        let contents = try await readShelf(of: holder, at: visit.tenant)
        let visit = visit.signedIn(as: .person(holder), with: token)
        return visit.show(LearnerView(contents, in: visit.frame).page)
    }

    /// The holder of the request's session, with its token.
    private func holder(of visit: Visit) async throws(ServerError) -> (token: SessionToken, owner: String)? {
        try await visit.session { token throws(ServerError) in try await sessions.holder(token, at: visit.tenant) }
    }

    /// Opens a session with a one-time link, which can't be used again.
    func useLink(_ visit: Visit, _ link: String) async throws(ServerError) -> Response {
        guard visit.request.isFromOwnPage else { return visit.show(.formRefused) }
        guard let token = try await sessions.open(link, at: visit.tenant) else { return visit.show(.licenseLinkSpent) }
        var response = Response.seeOther(visit.frame.path())
        response.headers.add("Set-Cookie", visit.cookie.set(token))
        return response
    }

    /// Releases a device after checking the origin, the session, the form code and the rate limit, in this order.
    func release(_ visit: Visit, _ form: Form) async throws(ServerError) -> Response {
        guard visit.request.isFromOwnPage else { return visit.show(.formRefused) }
        guard let (token, holder) = try await holder(of: visit) else { return visit.show(.licenseClosed) }
        let own = visit.signedIn(as: .person(holder), with: token)
        guard let code = form.code, token.accepts(code, for: visit.tenant) else { return own.show(.formRefused) }
        if case .refused(let seconds) = acts.authenticate(holder, of: visit.tenant, at: clock.now()) {
            return own.show(.tooMany(retryAfter: seconds))
        }
        let language = visit.frame.language
        guard let device = form.device.flatMap({ Hex.decode($0) }).flatMap({ Digest($0) }) else {
            return own.show(.placeKept([LearnerPageText.noSuchDevice(in: language)]))
        }
        let shelf = try await readShelf(of: holder, at: visit.tenant)
        let name = shelf.devices.first { $0.listed.device == device }?.listed.shownName(in: language)
        switch try await devices.release(device, of: holder, at: visit.tenant, by: .holder, in: token.hash) {
        case .released: return own.show(.contentsReleased(name))
        case .refused(let refusal): return own.show(.placeKept(refusal.first.toldOfRelease(in: visit.frame.locale)))
        case .unknown: return own.show(.placeKept([LearnerPageText.noSuchDevice(in: language)]))
        case .noSession: return visit.show(.licenseClosed)
        }
    }

    /// Closes the session.
    ///
    /// The response is the same if there is no session.
    func close(_ visit: Visit, _ form: Form) async throws(ServerError) -> Response {
        try await visit.closeSession(form.code) { token in try await sessions.close(token, at: visit.tenant) }
    }
}
