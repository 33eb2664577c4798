import TenureCore
import TenureHTTP
import TenureMarketplace
import TenureServerKit

/// The pages under `/oauth/{tenant}`, where a person signs in for an app.
///
/// If the shop has its own accounts, people also pass through these pages to the resolution page. Nothing is stored
/// before a password, a link or the shop proves the person's identity. Until then, the encrypted sign-in travels with
/// the browser, and only the browser that began it can complete it.
struct SignInPages: Sendable {
    let context: MarketplaceContext
    let baseURL: String?
    let proxies: TrustedProxies
    private let group: PageGroup
    let passwords: PasswordTries

    init(_ context: ServerContext) {
        self.context = context.marketplace()
        baseURL = context.baseURL
        proxies = context.proxies
        let notices = PageFrame.Notice.persistent(context.facts)
        group = PageGroup(.signIn, notices: notices, fault: "sign_in_page_failed") { vendor, _ in
            PageFrame(.signIn, ofMarketplaceOf: vendor, notices: notices)
        }
        passwords = context.passwords
    }

    struct Caller: Sendable {
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
            page("GET", "/authorize", .none) { caller, _ in try begin(caller) },
            page("POST", "/authorize", form) { try await submit($1, $0) },
            page("GET", "/page", .none) { caller, _ in try beginPage(caller) },
            page("GET", "/link/{link}", link) { caller, fields in
                try await end(fields.link, try pending(fields.state, caller), caller)
            }.dated(),
            page("GET", "/back", state) { caller, state in back(try pending(state, caller), caller) },
        ]
    }

    private func page<Input: Sendable>(
        _ method: String, _ path: String, _ fields: Fields<Input>,
        _ respond: @escaping @Sendable (Caller, Input) async throws -> Response
    ) -> Endpoint {
        group.page(method, path, fields) { [baseURL] visitor, input in
            guard let marketplace = visitor.vendor.marketplace else { throw Failure.noPage }
            let address = visitor.snapshot.origin(of: marketplace, orAt: baseURL)
            return try await respond(Caller(visit: visitor.visit, marketplace: marketplace, address: address), input)
        }
    }

    /// Decrypts the sign-in; `nil` if this server didn't encrypt it for this tenant.
    func pending(_ text: String?, _ caller: Caller) throws(ServerError) -> PendingSignIn? {
        guard let text else { return nil }
        return PendingSignIn(sealed: text, for: caller.tenant, under: try context.catalog.secrets.pendingSignIns)
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
