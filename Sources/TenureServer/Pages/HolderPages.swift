import TenureCore
package import TenureHTTP
package import TenureServerKit
package import TenureStore

/// The page of one license, for a holder whose old device is dead and whose new one got no place: which devices hold
/// the places, and the release of one of them, as far as the policy allows it.
///
/// A one-time link, which the operator makes, opens a session; every act needs it, is a form with the session's code,
/// and leaves an event with its reference.
package struct HolderPages: Sendable {
    let catalog: CatalogCache
    let clock: any WallClock
    let log: any Log
    let notices: [PageFrame.Notice]
    let sessions: HolderSessions
    let listDevices: ListDevices
    let release: ReleaseOnPage
    let acts = AttemptLimit(AttemptLedger(perName: 30, total: 600, window: 900))

    /// Makes the pages.
    /// - Parameter notices: What people must know of the server itself.
    package init(
        store: any Store, catalog: CatalogCache, clock: any WallClock, log: any Log, notices: [PageFrame.Notice]
    ) {
        self.catalog = catalog
        self.clock = clock
        self.log = log
        self.notices = notices
        sessions = HolderSessions(store: store, clock: clock)
        listDevices = ListDevices(store: store, clock: clock)
        release = ReleaseOnPage(catalog: catalog, clock: clock)
    }

    /// Declares the pages under `/portal/{tenant}`.
    package func declareRoutes(on router: inout Router) {
        let root = "/\(PageSite.holder.rawValue)/{tenant}"
        router.on("GET", root) { request, path in await answer(request, path, start) }
        router.on("GET", root + "/link/{link}") { request, path in
            await answer(request, path) { visit, _ in
                visit.show(LinkView(text: path["link"] ?? "").page(in: visit.frame))
            }
        }
        let forms: [(String, @Sendable (Visit, CatalogSnapshot) async throws(ServerError) -> Response)] = [
            ("link", useLink), ("release", release), ("sign-out", close),
        ]
        for (name, act) in forms {
            router.on("POST", "\(root)/\(name)") { request, path in await answer(request, path, act) }
            router.on("GET", "\(root)/\(name)") { request, path in
                await answer(request, path) { visit, _ in .seeOther(visit.frame.path()) }
            }
        }
    }

    /// Answers a request at a tenant; what fails becomes a page too.
    private func answer(
        _ request: Request, _ path: PathParameters,
        _ respond: (Visit, CatalogSnapshot) async throws(ServerError) -> Response
    ) async -> Response {
        guard let tenant = path["tenant"].flatMap({ TenantID($0) }) else { return .noPage }
        var frame = PageFrame(.holder, tenant: tenant, marketplace: tenant.text, notices: notices)
        do throws(ServerError) {
            let snapshot = try await catalog.refreshIfChanged()
            guard let vendor = snapshot.catalog.tenants[tenant] else { return .noPage }
            frame.marketplace = vendor.name
            frame.supportEmail = vendor.marketplace?.supportEmail
            return try await respond(Visit(request: request, marketplace: nil, frame: frame), snapshot)
        } catch {
            log.write(
                LogLine(
                    error.isTransient ? .warning : .error, "license_page_failed",
                    [("id", .text(request.id)), ("error", .text(error.description))]))
            let visit = Visit(request: request, marketplace: nil, frame: frame)
            return visit.show(error.isTransient ? .busy : .failed)
        }
    }
}
