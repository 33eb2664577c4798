import TenureCore
import TenureHTTP
import TenureLicensing
import TenureServerKit

extension HolderPages {
    /// Shows the license of the session, or explains how to open a session.
    func start(_ visit: Visit, _ snapshot: CatalogSnapshot) async throws(ServerError) -> Response {
        guard visit.hasSessionCookie else {
            return visit.show(ClosedView(language: visit.frame.language).page)
        }
        guard let (token, license) = try await license(of: visit) else {
            var response = visit.show(.licenseClosed)
            response.headers.add("Set-Cookie", visit.cookie.removal)
            return response
        }
        let policy = try snapshot.policy(of: license)
        let product = snapshot.catalog[license.product]
        let (devices, left) = try await licensing.devices(of: license.id, under: policy)
        let contents = HolderView.Contents(
            license: license, product: product?.name ?? license.product.product.text, policy: policy,
            explanation: try await licensing.explain(license, to: .holder),
            devices: devices.shown(by: licensing.catalog.master.names), left: left,
            renewal: (policy.renewURL ?? product?.renewURL).flatMap(PageLink.init(web:)), now: licensing.clock.now())
        let visit = visit.signedIn(as: .license(license.key.masked), with: token)
        return visit.show(HolderView(contents, in: visit.frame).page)
    }

    /// The license of the request's session, with its token.
    private func license(of visit: Visit) async throws(ServerError) -> (token: SessionToken, owner: License)? {
        try await visit.session { token throws(ServerError) in try await sessions.license(token, at: visit.tenant) }
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
        guard let (token, license) = try await license(of: visit) else { return visit.show(.licenseClosed) }
        let own = visit.signedIn(as: .license(license.key.masked), with: token)
        guard let code = form.code, token.accepts(code, for: visit.tenant) else { return own.show(.formRefused) }
        if case .refused(let seconds) = acts.authenticate(
            license.id.description, of: visit.tenant, at: licensing.clock.now())
        {
            return own.show(.tooMany(retryAfter: seconds))
        }
        guard let shown = form.activation.flatMap({ ActivationID(text: $0) }) else {
            return own.show(.placeKept([LicensePageText.noSuchDevice(in: own.frame.language)]))
        }
        let target = licensing.catalog.master.names.meant(shown)
        switch try await licensing.releaseOnPage(target, by: token, at: visit.tenant) {
        case .released(let device):
            let names = try await names(of: license, and: device, for: own.frame.language)
            return own.show(.deviceReleased(names.name(of: licensing.catalog.master.names.shown(device))))
        case .refused(let refusal): return own.show(.placeKept(HolderView.words(of: refusal, in: own.frame.locale)))
        case .unknown: return own.show(.placeKept([LicensePageText.noSuchDevice(in: own.frame.language)]))
        case .noSession: return visit.show(.licenseClosed)
        }
    }

    /// Ends the session; the response is the same without a session.
    func close(_ visit: Visit, _ form: Form) async throws(ServerError) -> Response {
        try await visit.closeSession(form.code) { token in try await sessions.close(token, at: visit.tenant) }
    }

    /// The names of a license's devices, as its page showed them before the device was released.
    private func names(
        of license: License, and device: Activation, for language: PageLanguage
    ) async throws(ServerError) -> DeviceNames {
        let devices = try await asking { try await licensing.store.devices(of: license.id) }
        let before = devices.active + [SeenActivation(device, lastSeenAt: device.activatedAt)]
        return DeviceNames(before.map { licensing.catalog.master.names.shown($0) }, in: language)
    }
}
