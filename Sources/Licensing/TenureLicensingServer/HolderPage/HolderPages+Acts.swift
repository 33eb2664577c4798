import TenureCore
import TenureHTTP
import TenureLicensing
import TenureServerKit

extension HolderPages {
    /// Shows the license of the session, or explains how to open a session.
    func start(_ visit: Visit, _ snapshot: CatalogSnapshot) async throws(ServerError) -> Response {
        guard let token = visit.cookie.token(in: visit.request) else { return visit.show(ClosedView().page) }
        guard let license = try await sessions.license(token, at: visit.tenant) else {
            var response = visit.show(.licenseClosed)
            response.headers.add("Set-Cookie", visit.cookie.removal)
            return response
        }
        let policy = try snapshot.policy(of: license)
        let (devices, left) = try await licensing.devices(of: license.id, under: policy)
        let name = snapshot.catalog[license.product]?.name ?? license.product.product.text
        let shown = devices.map { licensing.catalog.master.names.shown($0) }
        let view = HolderView(license, of: name, devices: shown, left: left, under: policy, at: licensing.clock.now())
        let visit = visit.signedIn(as: .license(license.key.masked), with: token)
        return visit.show(view.page(in: visit.frame))
    }

    /// Opens a session from a one-time link and uses the link up.
    func useLink(_ visit: Visit, _ form: Form) async throws(ServerError) -> Response {
        guard visit.request.isFromOwnPage else { return visit.show(.formRefused) }
        guard let link = form.link, let token = try await sessions.open(link, at: visit.tenant) else {
            return visit.show(.licenseLinkSpent)
        }
        var response = Response.seeOther(visit.frame.path())
        response.headers.add("Set-Cookie", visit.cookie.set(token))
        return response
    }

    /// Releases a device.
    ///
    /// Checks the form, its origin, the session, the form's code and the rate limit, in this order.
    func release(_ visit: Visit, _ form: Form) async throws(ServerError) -> Response {
        guard visit.request.isFromOwnPage else { return visit.show(.formRefused) }
        guard let token = visit.cookie.token(in: visit.request),
            let license = try await sessions.license(token, at: visit.tenant)
        else { return visit.show(.licenseClosed) }
        let own = visit.signedIn(as: .license(license.key.masked), with: token)
        guard let code = form.code, token.accepts(code, for: visit.tenant) else { return own.show(.formRefused) }
        if case .refused(let seconds) = acts.authenticate(
            license.id.description, of: visit.tenant, at: licensing.clock.now())
        {
            return own.show(.tooMany(retryAfter: seconds))
        }
        guard let shown = form.activation.flatMap({ ActivationID(text: $0) }) else {
            return own.show(.placeKept([Self.noSuchDevice]))
        }
        switch try await licensing.releaseOnPage(
            licensing.catalog.master.names.meant(shown), by: token, at: visit.tenant)
        {
        case .released: return own.show(.placeFreed)
        case .refused(let refusal): return own.show(.placeKept(HolderView.words(of: refusal)))
        case .unknown: return own.show(.placeKept([Self.noSuchDevice]))
        case .noSession: return visit.show(.licenseClosed)
        }
    }

    /// Ends the session; the response is the same without a session.
    func close(_ visit: Visit, _ form: Form) async throws(ServerError) -> Response {
        try await visit.closeSession(form.code) { token in try await sessions.close(token, at: visit.tenant) }
    }

    private static let noSuchDevice = "This license isn’t active on that device."
}
