import TenureCore
package import TenureMarketplace
package import TenureServerKit

/// The page without a session.
///
/// The page shows no personal data, whichever account the URL claims.
package struct PublicView: Sendable, Hashable {
    /// The claims in the page's URL.
    package let claims: ResolutionClaims
    /// The app as listed by the marketplace; `nil` if the URL names no listed app.
    package let app: MarketplaceApp?
    /// Whether the URL names the marketplace app.
    package let isMarketplaceApp: Bool
    package let marketplace: String
    /// Whether the form reports that a session has ended.
    package let sessionEnded: Bool
    /// Whether people sign in on the shop's own page.
    package let isAtShop: Bool

    /// Creates the page's content from the catalog and the claims.
    package init(_ claims: ResolutionClaims, at marketplace: Marketplace, sessionEnded: Bool = false) {
        self.claims = claims
        self.sessionEnded = sessionEnded
        self.marketplace = marketplace.name
        isAtShop = marketplace.signInURL != nil
        app = claims.item.flatMap { marketplace.apps[$0] }
        isMarketplaceApp = claims.item != nil && claims.item == marketplace.appleItemID
    }

    private var appName: String? {
        if let app { return AppName(of: app, item: app.item).text }
        return isMarketplaceApp ? marketplace : nil
    }

    package func page(in frame: PageFrame) -> Page {
        let title = title(in: frame)
        return Page(title: title) {
            Tag.div {
                Tag.h1 { title }
                Tag.p(.class("lead")) { say(.publicLead, in: frame) }
            }
            if let app, app.isWithdrawn { withdrawal(of: app, in: frame) }
            firstSteps(in: frame)
            SignInForm(claims: claims, trouble: sessionEnded ? say(.sessionEnded, in: frame) : nil, atShop: isAtShop)
                .card(in: frame, heading: say(.statusTitle, in: frame))
            explanations(in: frame)
        }
    }

    private func title(in frame: PageFrame) -> String {
        say(appName == nil ? .publicTitleUnknown : .publicTitle, in: frame)
    }

    /// A sentence about the app, or about "the app" if it isn't known.
    private func say(_ text: ResolutionPageText, count: Int? = nil, in frame: PageFrame) -> String {
        let language = frame.language
        return text(
            in: language, count: count,
            ["app": appName ?? ResolutionPageText.theApp(in: language), "marketplace": marketplace])
    }

    private func withdrawal(of app: MarketplaceApp, in frame: PageFrame) -> Markup {
        let name = ElementID("withdrawn")
        return Tag.section(.class("card"), .labelled(by: name)) {
            Tag.div(.class("device")) { Tag.span(.class("mark warn")) { say(.withdrawnMark, in: frame) } }
            Tag.h2(.id(name)) { say(.withdrawnTitle, in: frame) }
            Tag.p { say(app.rules.revokeOnTakedown ? .withdrawnEnds : .withdrawnStays, in: frame) }
        }
    }

    private func firstSteps(in frame: PageFrame) -> Markup {
        let name = ElementID("first")
        return Tag.section(.class("card"), .labelled(by: name)) {
            Tag.h2(.id(name)) { say(.firstTitle, in: frame) }
            Tag.ol(.class("steps")) {
                Tag.li { say(.firstConnect, in: frame) }
                Tag.li { say(isMarketplaceApp ? .firstReopen : .firstOpen, in: frame) }
                Tag.li { say(.firstStart, in: frame) }
            }
            if let link = app?.shareLink(of: frame.tenant) {
                Tag.a(.class("button plain"), .href(link)) { say(.showApp, in: frame) }
            }
        }
    }

    private func explanations(in frame: PageFrame) -> Markup {
        let name = ElementID("why")
        let limit = app?.rules.deviceLimit
        return Tag.section(.class("card"), .labelled(by: name)) {
            Tag.h2(.id(name)) { say(.whyTitle, in: frame) }
            Tag.p { say(.whyText, in: frame) }
            Tag.dl(.class("reasons")) {
                reason(.whyExpired, say(.whyExpiredText, in: frame), in: frame)
                reason(.whyEnded, say(.whyEndedText, in: frame), in: frame)
                reason(
                    .whyLimit, say(limit == nil ? .whyLimitText : .whyLimitCount, count: limit, in: frame), in: frame)
                reason(.whyStopped, say(.whyStoppedText, in: frame), in: frame)
            }
        }
    }

    private func reason(_ name: ResolutionPageText, _ text: String, in frame: PageFrame) -> Markup {
        Tag.fact(say(name, in: frame)) { text }
    }
}
