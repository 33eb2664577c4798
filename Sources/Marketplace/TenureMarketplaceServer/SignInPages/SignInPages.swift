import TenureCore
import TenureHTTP
import TenureMarketplace
import TenureServerKit

/// The pages under `/oauth/{tenant}`, where a person signs in for an app.
///
/// If the shop has its own accounts, people also pass these pages on the way to the resolution page. Nothing is stored
/// before a password, a link or the shop proves the person's identity. Until then, the encrypted sign-in travels with
/// the browser, and only the browser that began it can complete it.
struct SignInPages: Sendable {
    let catalog: CatalogCache
    let clock: any WallClock
    let baseURL: String?
    let proxies: TrustedProxies
    let notices: [PageFrame.Notice]
    let prove: ProvePassword
    let issue: IssueCode
    let finish: FinishShopSignIn

    init(_ context: ServerContext) {
        catalog = context.catalog
        clock = context.clock
        baseURL = context.baseURL
        proxies = context.proxies
        notices = PageFrame.Notice.standing(context.facts)
        prove = ProvePassword(
            store: context.store, clock: context.clock, pool: context.compute, tries: context.passwords)
        issue = IssueCode(store: context.store, clock: context.clock)
        finish = FinishShopSignIn(store: context.store, clock: context.clock)
    }

    typealias Endpoint = TenureServerKit.Endpoint<CatalogSnapshot>

    /// The caller of a sign-in page.
    struct Caller: PageCaller {
        let visit: Visit
        let marketplace: Marketplace
        /// The marketplace's origin, such as `https://apps.example.com`.
        let address: String

        var tenant: TenantID { visit.tenant }
        var cookie: SignInCookie { SignInCookie(of: tenant, in: visit.request) }
    }

    /// The submitted fields of the sign-in form.
    struct Form: Sendable {
        let pending: String?
        let account: String?
        let password: String?
        let link: String?
        let isCancelled: Bool
    }

    var endpoints: [Endpoint] {
        let form = Fields { fields in
            Form(
                pending: try fields.optional("sign_in", .formText), account: try fields.optional("account", .formText),
                password: try fields.optional("password", .formText), link: try fields.optional("link", .formText),
                isCancelled: try fields.optional("cancel", .formText) != nil)
        }
        let link = Fields { fields in
            (
                link: try fields.required("link", .linkInPath, in: .path),
                state: try fields.optional("state", .formText, in: .query)
            )
        }
        let state = Fields { fields in try fields.optional("state", .formText, in: .query) }
        return [
            page("GET", "/authorize", .none) { try begin($0.caller) },
            page("POST", "/authorize", form) { try await submit($0.input, $0.caller) },
            page("GET", "/page", .none) { try beginPage($0.caller) },
            page("GET", "/link/{link}", link) { call in
                try await end(call.input.link, pending(call.input.state, call.caller), call.caller)
            }.dated(),
            page("GET", "/back", state) { back(pending($0.input, $0.caller), $0.caller) },
        ]
    }

    private func page<Input: Sendable>(
        _ method: String, _ path: String, _ fields: Fields<Input>,
        _ answer: @escaping @Sendable (Call<Caller, Input>) async throws -> Response
    ) -> Endpoint {
        Endpoint(
            method, PageSite.signIn.pattern + path,
            .page(.signIn, notices: notices, fault: "sign_in_page_failed"), .checked, authentication: admission,
            reads: fields
        ) { .done(try await answer($0)) }
    }

    private var admission: Authentication<CatalogSnapshot, Caller> {
        Authentication { request, path, snapshot in
            guard let tenant = path["tenant"].flatMap({ TenantID($0) }),
                let vendor = snapshot.catalog.tenants[tenant], let marketplace = vendor.marketplace
            else { throw Failure.noPage }
            let frame = PageFrame(
                .signIn, of: vendor, as: marketplace.name, supportEmail: marketplace.supportEmail, notices: notices)
            return Caller(
                visit: Visit(request: request, frame: frame.speaking(to: request, else: vendor.language)),
                marketplace: marketplace,
                address: snapshot.origin(of: marketplace, orAt: baseURL))
        }
    }

    /// Decrypts the sign-in; `nil` if this server didn't encrypt it for this tenant.
    func pending(_ text: String?, _ caller: Caller) -> PendingSignIn? {
        text.flatMap { PendingSignIn(sealed: $0, for: caller.tenant, under: catalog.master) }
    }
}

extension Visit {
    /// Responds with the page for a notice.
    func show(_ notice: SignInNotice) -> Response { show(notice.page(in: frame)) }
}

extension PageSite {
    /// The site of the sign-in pages.
    ///
    /// It has no start page, because a sign-in begins in an app.
    static let signIn = PageSite(
        "oauth", matter: SignInPageText.matter.spoken(), hasStartPage: false)
}
