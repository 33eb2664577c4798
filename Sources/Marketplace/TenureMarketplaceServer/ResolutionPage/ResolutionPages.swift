import TenureCore
import TenureHTTP
import TenureMarketplace
package import TenureServerKit
import TenureStore

/// The pages for a person whose app doesn't open: they explain the reason and the next step.
///
/// Without a session, they show no personal data. With a session, they show the apps of its account, and the person may
/// release a device or request a renewal.
package struct ResolutionPages: Sendable {
    let context: MarketplaceContext
    let passwords: PasswordTries
    let proxies: TrustedProxies
    private let notices: [PageFrame.Notice]

    /// Creates the pages.
    ///
    /// - Parameters:
    ///   - notices: Notices about the server.
    ///   - proxies: The proxies whose forwarded addresses are trusted.
    ///   - passwords: The limits on password attempts.
    package init(
        _ context: MarketplaceContext, notices: [PageFrame.Notice], behind proxies: TrustedProxies = .none,
        passwords: PasswordTries
    ) {
        self.context = context
        self.notices = notices
        self.proxies = proxies
        self.passwords = passwords
    }

    /// The endpoints below `/resolve/{tenant}`.
    package var endpoints: [Endpoint] {
        let pages = SessionPages(
            PageGroup(.resolution, notices: notices, fault: "resolution_page_failed", frame: frame), context.sessions,
            link: LinkView.init(text:toAccountAt:),
            entrance: { visitor, hasEnded in
                visitor.vendor.marketplace.map {
                    PublicView(visitor.visit.claims, at: $0, sessionEnded: hasEnded).page(in: visitor.visit.frame)
                }
            },
            start: { [context] visitor, account throws(ServerError) in
                let claims = visitor.visit.claims
                let explained = try await context.explainApps(account, of: claims.item)
                return explained.map { PersonalView(claims, $0).page(in: visitor.visit.frame) }
            })
        let license = Fields { fields in try fields.optional("license", .formText).flatMap { LicenseID(text: $0) } }
        return pages.endpoints + pages.group.form("sign-in", Self.signInForm, signIn)
            + pages.action("release", license, context.releaseOnPage)
            + pages.action("renew", license, context.askForRenewalOnPage)
    }

    private func frame(of vendor: Tenant, in snapshot: CatalogSnapshot) -> PageFrame? {
        guard vendor.marketplace?.resolutionPage == true else { return nil }
        return PageFrame(.resolution, ofMarketplaceOf: vendor, notices: notices)?.noting(simulatedEngineIn: snapshot)
    }

    // MARK: Signing in

    private static let signInForm = Fields { fields in
        (
            account: try fields.optional("account", .formText), password: try fields.optional("password", .formText),
            claims: try ResolutionClaims(form: &fields)
        )
    }

    /// Opens a session by password.
    ///
    /// An unknown name gets the same response as a wrong password.
    private func signIn(
        _ visitor: PageGroup.Visitor, _ form: (account: String?, password: String?, claims: ResolutionClaims)
    ) async throws(ServerError) -> Response {
        let (visit, claims) = (visitor.visit, form.claims)
        guard visit.request.isFromOwnPage else { return visit.show(.formRefused) }
        guard visitor.vendor.marketplace?.signInURL == nil else { return visit.show(.formRefused, for: claims) }
        var outcome = SessionOpening.wrong
        if let name = form.account, name.utf8.count <= SignInForm.longestName, let password = form.password {
            outcome = try await context.openSession(
                name, password: password, at: visit.tenant, from: proxies.source(of: visit.request), tries: passwords)
        }
        switch outcome {
        case .opened(let token): return visit.begin(token, for: claims)
        case .tooMany(let seconds): return visit.show(.tooMany(retryAfter: seconds), for: claims)
        case .wrong:
            let trouble = SignInPageText.wrong(in: visit.frame.language)
            return visit.show(SignInForm(claims: claims, trouble: trouble).page(status: 403, in: visit.frame))
        }
    }
}

extension PageSite {
    /// The site of the resolution pages.
    package static let resolution = PageSite(
        "resolve", matter: ResolutionPageText.matter.spoken(), hasAccounts: true)
}

extension PageFrame {
    /// Creates the frame of the pages of a tenant's marketplace; `nil` if the tenant has no marketplace.
    init?(_ site: PageSite, ofMarketplaceOf vendor: Tenant, notices: [Notice]) {
        guard let marketplace = vendor.marketplace else { return nil }
        self.init(site, of: vendor, as: marketplace.name, supportEmail: marketplace.supportEmail, notices: notices)
    }

    /// Returns a copy with a notice if the marketplace's licenses are simulated.
    func noting(simulatedEngineIn snapshot: CatalogSnapshot) -> PageFrame {
        var frame = self
        if snapshot.marketplaceKeys[tenant]?.isSimulatedEngine ?? false { frame.notices.append(.simulated) }
        return frame
    }
}

extension LinkView {
    /// The page of a one-time link that signs in to an account.
    package init(text: String, toAccountAt frame: PageFrame) {
        self.init(
            text: text,
            shows: ResolutionPageText.linkShows.spoken(["marketplace": frame.marketplace]))
    }
}
