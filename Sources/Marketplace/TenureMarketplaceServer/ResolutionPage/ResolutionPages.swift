import TenureCore
import TenureHTTP
import TenureMarketplace
package import TenureServerKit
import TenureStore

/// The pages for a person whose app doesn't open: they explain what happened and what to do.
///
/// Without a session, they show what is true for everyone. With a session, they show the apps of its account. Releasing
/// a device and requesting a renewal require a session, and a form that carries the session's code. Each change saves
/// an event.
package struct ResolutionPages: Sendable {
    let context: MarketplaceContext
    let notices: [PageFrame.Notice]
    let openSession: OpenSession
    let proxies: TrustedProxies
    let acts = AttemptLimit(AttemptCounter(perName: 30, total: 600, window: 900))

    /// Creates the pages.
    ///
    /// - Parameters:
    ///   - pool: The pool that verifies passwords.
    ///   - notices: Notices about the server.
    ///   - proxies: The proxies whose forwarded addresses are trusted.
    ///   - passwords: The limits on password attempts.
    package init(
        _ context: MarketplaceContext, pool: CryptoPool,
        notices: [PageFrame.Notice], behind proxies: TrustedProxies = .none, passwords: PasswordTries
    ) {
        self.context = context
        self.notices = notices
        self.proxies = proxies
        openSession = OpenSession(
            store: context.store, clock: context.clock,
            prove: ProvePassword(store: context.store, clock: context.clock, pool: pool, tries: passwords))
    }

    typealias Endpoint = TenureServerKit.Endpoint<CatalogSnapshot>

    /// The submitted fields of the forms.
    struct Form: Sendable {
        let account: String?
        let password: String?
        let link: String?
        let code: String?
        let license: String?
        let claims: ResolutionClaims
    }

    /// The caller of a resolution page.
    struct Caller: PageCaller {
        let visit: Visit
    }

    /// The endpoints below `/resolve/{tenant}`.
    package var endpoints: [TenureServerKit.Endpoint<CatalogSnapshot>] {
        let link = Fields { fields in try fields.required("link", .linkInPath, in: .path) }
        var all = [
            page("GET", "", .none) { try await start($0.caller.visit) },
            page("GET", "/link/{link}", link) { call in
                let visit = call.caller.visit
                guard try await context.isOpen(call.input, at: visit.tenant) else { return visit.show(.linkSpent) }
                return visit.show(LinkView(text: call.input, toAccountAt: visit.frame).page(in: visit.frame))
            },
        ]
        let forms: [(String, @Sendable (Visit, Form) async throws(ServerError) -> Response)] = [
            ("sign-in", signIn), ("link", useLink), ("sign-out", signOut), ("release", release), ("renew", renew),
        ]
        for (name, act) in forms {
            all.append(page("POST", "/" + name, Self.form) { try await act($0.caller.visit, $0.input) })
            // A browser that opens a form's URL, for example from its history, is sent to the start page.
            all.append(page("GET", "/" + name, .none) { .seeOther($0.caller.visit.frame.path()) })
        }
        return all
    }

    private static let form = Fields { fields in
        let account = try fields.optional("account", .formText)
        let item = try fields.optional("appleItemID", .formText)
        let version = try fields.optional("appleVersionID", .formText)
        return Form(
            account: account, password: try fields.optional("password", .formText),
            link: try fields.optional("link", .formText), code: try fields.optional("code", .formText),
            license: try fields.optional("license", .formText),
            claims: ResolutionClaims {
                ["account": account, "appleItemID": item, "appleVersionID": version][$0] ?? nil
            })
    }

    private func page<Input: Sendable>(
        _ method: String, _ path: String, _ fields: Fields<Input>,
        _ answer: @escaping @Sendable (Call<Caller, Input>) async throws -> Response
    ) -> Endpoint {
        Endpoint(
            method, PageSite.resolution.pattern + path,
            .page(.resolution, notices: notices, fault: "resolution_page_failed"), .checked, authentication: admission,
            reads: fields
        ) { .done(try await answer($0)) }
    }

    private var admission: Authentication<CatalogSnapshot, Caller> {
        Authentication { request, path, snapshot in
            guard let tenant = path["tenant"].flatMap({ TenantID($0) }),
                let vendor = snapshot.catalog.tenants[tenant], let marketplace = vendor.marketplace,
                marketplace.resolutionPage
            else { throw Failure.noPage }
            var frame = PageFrame(
                .resolution, of: vendor, as: marketplace.name, supportEmail: marketplace.supportEmail, notices: notices)
            if snapshot.marketplaceKeys[tenant]?.isSimulatedEngine ?? false { frame.notices.append(.simulated) }
            return Caller(
                visit: Visit(
                    request: request, vendor: vendor, frame: frame.speaking(to: request, else: vendor.language)))
        }
    }
}

extension PageSite {
    /// The site of the resolution pages.
    package static let resolution = PageSite(
        "resolve", matter: ResolutionPageText.matter.spoken(), hasAccounts: true)
}

extension LinkView {
    /// The page of a one-time link that signs in to an account.
    package init(text: String, toAccountAt frame: PageFrame) {
        self.init(
            text: text,
            shows: ResolutionPageText.linkShows.spoken(["marketplace": frame.marketplace]))
    }
}
