import TenureCore
package import TenureHTTP
package import TenureServerKit
package import TenureStore

/// The pages for a person whose app does not open (seed 001): what happened, and what can be done.
///
/// Without a session they say what is true for everyone. A session, opened by a password or a one-time link, shows what
/// holds for its account, and is needed for every act; each act is a form with the session's code and leaves an event.
package struct ResolutionPages: Sendable {
    let catalog: CatalogCache
    let clock: any WallClock
    let log: any Log
    let notices: [PageFrame.Notice]
    let findSession: FindSession
    let openSession: OpenSession
    let useLink: UseLink
    let closeSession: CloseSession
    let release: ReleaseAppLicense
    let askForRenewal: AskForRenewal
    let explain: ExplainApps
    let acts = AttemptLimit(AttemptLedger(perName: 30, total: 600, window: 900))

    /// Makes the pages. Throws ``ServerError`` when there is no memory for a password's hash.
    /// - Parameters:
    ///   - pool: Where passwords are verified.
    ///   - notices: What people must know of the server itself.
    package init(
        store: any Store, catalog: CatalogCache, clock: any WallClock, log: any Log, pool: ComputeLane,
        notices: [PageFrame.Notice]
    ) throws(ServerError) {
        self.catalog = catalog
        self.clock = clock
        self.log = log
        self.notices = notices
        findSession = FindSession(store: store, clock: clock)
        openSession = try OpenSession(store: store, clock: clock, pool: pool)
        useLink = UseLink(store: store, clock: clock)
        closeSession = CloseSession(store: store, clock: clock)
        release = ReleaseAppLicense(store: store, clock: clock)
        askForRenewal = AskForRenewal(store: store, clock: clock)
        explain = ExplainApps(store: store, catalog: catalog, clock: clock)
    }

    /// Declares the pages under `/resolve/{tenant}`.
    package func declareRoutes(on router: inout Router) {
        let root = "/resolve/{tenant}"
        router.on("GET", root) { request, path in await answer(request, path, start) }
        router.on("GET", root + "/link/{link}") { request, path in
            await answer(request, path) { visit in visit.show(LinkView(text: path["link"] ?? "").page(in: visit.frame))
            }
        }
        let forms: [(String, @Sendable (Visit) async throws(ServerError) -> Response)] = [
            ("sign-in", signIn), ("link", useLink), ("sign-out", signOut), ("release", release), ("renew", renew),
        ]
        for (name, act) in forms {
            router.on("POST", "\(root)/\(name)") { request, path in await answer(request, path, act) }
            // Whoever opens a form's own address, from a history or after a mistake, is sent to the start.
            router.on("GET", "\(root)/\(name)") { request, path in
                await answer(request, path) { visit in .seeOther(visit.frame.path()) }
            }
        }
    }

    /// Answers a request at a marketplace that has these pages; what fails becomes a page too.
    private func answer(
        _ request: Request, _ path: PathParameters,
        _ respond: (Visit) async throws(ServerError) -> Response
    ) async -> Response {
        guard let tenant = path["tenant"].flatMap({ TenantID($0) }) else { return .noPage }
        var frame = PageFrame(tenant: tenant, marketplace: tenant.text, notices: notices)
        do throws(ServerError) {
            let snapshot = try await catalog.refreshIfChanged()
            let listed = snapshot.catalog.tenants[tenant]?.marketplace
            if snapshot.marketplaceKeys[tenant]?.isSimulatedEngine ?? false { frame.notices.append(.simulated) }
            guard let marketplace = listed, marketplace.resolutionPage else { return .noPage }
            frame.marketplace = marketplace.name
            frame.supportEmail = marketplace.supportEmail
            return try await respond(Visit(request: request, marketplace: marketplace, frame: frame))
        } catch {
            log.write(
                LogLine(
                    error.isTransient ? .warning : .error, "resolution_page_failed",
                    [("id", .text(request.id)), ("error", .text(error.description))]))
            let visit = Visit(request: request, marketplace: nil, frame: frame)
            return visit.show(error.isTransient ? .busy : .failed)
        }
    }
}
