import TenureCore
import TenureMarketplace
import TenureMarketplaceServer
import TenureServerKit
import TenureStore

/// The kinds of resolution pages, with values that a test may choose.
enum SamplePages {
    static let token = SessionToken(String(repeating: "A", count: 43))!

    static func frame(
        marketplace: String = "Megabyte Mart", support: String? = "help@market.example", account: AccountID? = nil,
        notices: [PageFrame.Notice] = []
    ) -> PageFrame {
        PageFrame(
            .resolution, tenant: SampleApps.tenant, marketplace: marketplace, supportEmail: support, notices: notices,
            session: account.map {
                PageFrame.Session(
                    .person($0.text), reference: SupportReference(of: token.hash),
                    formCode: token.formCode(for: SampleApps.tenant))
            })
    }

    static var claims: ResolutionClaims {
        ResolutionClaims(account: SampleApps.account.account, item: SampleApps.item, version: SampleApps.version)
    }

    static func personal(_ licenses: [ExplainedApp.License], app: MarketplaceApp? = SampleApps.app(), devices: Int = 2)
        -> PersonalView
    {
        PersonalView(
            claims,
            ExplainedApps(
                marketplace: SampleApps.marketplace(),
                apps: [
                    ExplainedApp(
                        item: SampleApps.item, app: app, grant: SampleApps.grant(), devices: devices,
                        licenses: licenses)
                ], now: SampleApps.now))
    }

    static let outcomes: [OutcomeView.Outcome] = [
        .released, .stopped, .asked(app: "Camping", link: PageLink(web: "https://market.example/camping")),
        .askedInVain(app: "Camping", headline: "Your subscription has ended", cure: "Renew it."), .over,
        .unknownLicense,
        .noSession, .linkSpent, .formRefused, .tooMany(retryAfter: 600), .busy, .failed, .signedOut,
        .deviceReleased("Old laptop"),
        .placeKept(["No."]), .licenseClosed, .licenseLinkSpent,
    ]

    /// All sample pages, each with its name and the frame that it is shown in.
    static var all: [(name: String, page: Page, frame: PageFrame)] {
        let open = frame(notices: [.simulated])
        let own = frame(account: SampleApps.account.account, notices: [.simulated, .virtualClock])
        var pages: [(String, Page, PageFrame)] = [
            ("public", PublicView(claims, at: SampleApps.marketplace()).page(in: open), open),
            ("public-unknown-app", PublicView(.none, at: SampleApps.marketplace()).page(in: open), open),
            (
                "public-withdrawn",
                PublicView(claims, at: SampleApps.marketplace(SampleApps.app(withdrawn: true))).page(in: open), open
            ),
            ("link", LinkView(text: "abc", toAccountAt: open).page(in: open), open),
            ("wrong", SignInForm(claims: claims, trouble: "Wrong.").page(status: 403, in: open), open),
            ("personal", personal(SampleApps.standings.map(\.1)).page(in: own), own),
            ("personal-none", personal([]).page(in: own), own),
        ]
        for outcome in outcomes {
            let name = "outcome-" + "\(outcome)".prefix { $0 != "(" }
            pages.append((name, OutcomeView(outcome, claims: claims).page(in: own), own))
        }
        return pages
    }
}
