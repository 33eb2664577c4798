import TenureLicensingServer
import TenureMarketplaceServer
import TenureServerKit
import TenureStore
import Testing

@testable import TenureCore
@testable import TenureMarketplace

@Suite struct `Pages` {
    static let names = SamplePages.all.map(\.name)

    private func page(_ name: String) throws -> ReadPage {
        let sample = try #require(SamplePages.all.first { $0.name == name })
        return ReadPage(sample.page.document(in: sample.frame))
    }

    @Test(arguments: names) func `each resolution page has ordered headings, labelled inputs and unique element ids`(
        _ name: String
    )
        throws
    {
        let page = try page(name)
        #expect(page.isWellFormed)
        #expect(page.all("html").first?.attributes["lang"] == "en")
        #expect(page.all("title").first?.text.isEmpty == false)
        #expect(page.all("main").count == 1 && page.all("header").count == 1)
        let levels = page.all("h1", "h2", "h3").compactMap { Int($0.tag.dropFirst()) }
        #expect(levels.first == 1 && levels.count { $0 == 1 } == 1)
        #expect(zip(levels, levels.dropFirst()).allSatisfy { $1 <= $0 + 1 })
        let ids = page.elements.compactMap { $0.attributes["id"] }
        #expect(Set(ids).count == ids.count)
        let references = page.elements.flatMap { element in
            ["for", "aria-labelledby", "aria-describedby"].compactMap { element.attributes[$0] }
        }
        #expect(Set(references).isSubset(of: ids))
        let labelled = Set(page.all("label").compactMap { $0.attributes["for"] })
        for input in page.all("input", "select") where input.attributes["type"] != "hidden" {
            #expect(labelled.contains(input.attributes["id"] ?? ""))
        }
        for control in page.all("button", "a", "summary") { #expect(!control.text.isEmpty) }
    }

    @Test(arguments: names)
    func `no resolution page contains scripts, and each form of a session contains its CSRF token`(
        _ name: String
    ) throws {
        let page = try page(name)
        #expect(page.all("script", "iframe", "object", "img", "svg").isEmpty)
        let names = page.elements.flatMap(\.attributes.keys)
        #expect(!names.contains { $0.hasPrefix("on") || $0 == "style" })
        for form in page.posts {
            #expect(form.attributes["action"]?.hasPrefix("/resolve/acme/") == true)
        }
        let acts = page.posts.count { !["sign-in", "link"].contains($0.lastSegment) }
        let codes = page.all("input").filter { $0.attributes["name"] == "code" }
        #expect(codes.count == acts)
        #expect(codes.allSatisfy { $0.attributes["value"] == SamplePages.token.formCode(for: SampleApps.tenant) })
    }

    @Test func `without a session, the resolution page's headings name the app and what to try first`() throws {
        #expect(
            try page("public").outline == [
                "h1 Camping doesn’t open?", "h2 What to try first", "h2 See the status of your devices",
                "h2 Why an app may stop opening",
            ])
        #expect(try page("public-unknown-app").outline.first == "h1 An app doesn’t open?")
        #expect(try page("public-withdrawn").outline.contains("h2 This app is no longer offered"))
    }

    @Test func `on the resolution page, license cards that need action come first, and ended ones last`() throws {
        let view = SamplePages.personal(SampleApps.standings.map(\.1))
        let page = ReadPage(
            view.page(in: SamplePages.frame(account: SampleApps.account.account)).document(in: SamplePages.frame()))
        #expect(
            page.outline == [
                "h1 Camping on your devices", "h2 The license has expired", "h2 Access has ended",
                "h2 This account doesn’t have the app", "h2 Too many devices", "h2 The license expired long ago",
                "h2 Renewal failed", "h2 Your subscription has ended", "h2 The app has been withdrawn",
                "h2 The license is suspended", "h2 The license can’t be renewed at the moment",
                "h2 Everything is fine", "h2 The license has been revoked", "h2 This device has been released",
            ])
    }

    @Test func `the resolution page without an app in its URL shows the account's apps under their names`() {
        var view = SamplePages.personal([SampleApps.standings[0].1])
        view = PersonalView(.none, view.explained)
        let frame = SamplePages.frame(account: SampleApps.account.account)
        let page = ReadPage(view.page(in: frame).document(in: frame))
        #expect(page.outline == ["h1 Your apps", "h2 Camping", "h3 Everything is fine"])
    }

    @Test func `markup in a value is escaped on all resolution pages`() {
        let evil = #""><script>alert(1)</script><img src=x onerror=alert(2)>'&</style></title>"#
        var app = SampleApps.app(name: evil, shareURL: "javascript:alert(1)//" + evil)
        app.versions[SampleApps.version]?.shortVersion = evil
        let account = AccountID(evil)!
        let claims = ResolutionClaims(account: account, item: SampleApps.item, version: SampleApps.version)
        var frame = SamplePages.frame(marketplace: evil, support: "\(evil)@b", account: account)
        let license = SampleApps.explained(SampleApps.license(endsIn: -1), of: app)
        let reason = Reason(
            Reason.Kind(told: evil), message: evil, cure: evil, evidence: [.init("devices", .text(evil))])
        let odd = ExplainedApp.License(
            license: license.license,
            explanation: SampleApps.explained(SampleApps.license(), hasKey: false).explanation.adding(reason))
        var pages = [
            PublicView(claims, at: SampleApps.marketplace(app, name: evil)).page(in: frame),
            SamplePages.personal([license, odd], app: app).page(in: frame),
            LinkView(text: evil, toAccountAt: frame).page(in: frame),
            SignInForm(claims: claims, trouble: evil).page(status: 403, in: frame),
            OutcomeView(.askedInVain(app: evil, headline: evil, cure: evil), claims: claims).page(in: frame),
            OutcomeView(.asked(app: evil, link: PageLink(web: "https://x/" + evil)), claims: claims).page(in: frame),
        ]
        frame.session = nil
        pages.append(PublicView(claims, at: SampleApps.marketplace(app, name: evil)).page(in: frame))
        for page in pages {
            let read = ReadPage(page.document(in: frame))
            #expect(read.isWellFormed)
            #expect(read.all("script", "img").isEmpty)
            #expect(read.text.contains(evil) || read.elements.contains { $0.attributes["value"] == evil })
            #expect(!read.elements.contains { $0.attributes["href"]?.lowercased().hasPrefix("javascript") == true })
            #expect(!read.elements.flatMap(\.attributes.keys).contains { $0.hasPrefix("on") })
        }
    }

    @Test func `a page shows the notices about simulated licenses and a virtual clock`() {
        let frame = SamplePages.frame(notices: PageFrame.Notice.allCases)
        let text = ReadPage(LinkView(text: "x", toAccountAt: frame).page(in: frame).document(in: frame)).text
        #expect(text.contains("Simulation") && text.contains("Virtual clock"))
    }
}

extension ReadPage.Element {
    fileprivate var lastSegment: String {
        String(attributes["action"]?.split(separator: "/").last ?? "")
    }
}

extension AppLicense.Explanation {
    /// Returns the explanation with one more reason.
    fileprivate func adding(_ reason: Reason) -> AppLicense.Explanation {
        AppLicense.Explanation(state: state, reasons: reasons + [reason], changesAt: changesAt)
    }
}
