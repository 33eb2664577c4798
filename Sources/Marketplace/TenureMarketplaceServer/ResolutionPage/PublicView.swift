import TenureCore
package import TenureMarketplace
package import TenureServerKit

/// The page without a session.
///
/// It shows only what is true for everyone, whichever account the URL claims.
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
        Page(title: title) {
            Tag.div {
                Tag.h1 { title }
                Tag.p(.class("lead")) {
                    "Usually it opens again once you have opened the marketplace app."
                }
            }
            if let app, app.isWithdrawn { withdrawal(of: app) }
            firstSteps(in: frame)
            SignInForm(claims: claims, trouble: sessionEnded ? Self.ended : nil, atShop: isAtShop).card(
                in: frame, heading: "See the status of your devices")
            explanations
        }
    }

    private static let ended = "You were signed out after half an hour. Please sign in again."

    private var title: String { appName.map { "\($0) doesn’t open?" } ?? "An app doesn’t open?" }

    private func withdrawal(of app: MarketplaceApp) -> Markup {
        let name = ElementID("withdrawn")
        return Tag.section(.class("card"), .labelled(by: name)) {
            Tag.div(.class("device")) { Tag.span(.class("mark warn")) { "Withdrawn" } }
            Tag.h2(.id(name)) { "This app is no longer offered" }
            Tag.p {
                app.rules.revokeOnTakedown
                    ? "The vendor withdrew it, and its licenses are no longer renewed. It stops opening when they "
                        + "expire."
                    : "The vendor withdrew it. Installed copies keep working, and their licenses are still renewed."
            }
        }
    }

    private func firstSteps(in frame: PageFrame) -> Markup {
        let (name, called) = (ElementID("first"), appName ?? "the app")
        return Tag.section(.class("card"), .labelled(by: name)) {
            Tag.h2(.id(name)) { "What to try first" }
            Tag.ol(.class("steps")) {
                Tag.li { "Make sure the device is connected to the internet." }
                Tag.li {
                    isMarketplaceApp
                        ? "Open \(marketplace) again after a minute."
                        : "Open the \(marketplace) app. It renews licenses that are about to expire."
                }
                Tag.li { "Wait a minute, then start \(called) again." }
            }
            if let link = app?.shareLink(of: frame.tenant) {
                Tag.a(.class("button plain"), .href(link)) { "Show \(called) at \(marketplace)" }
            }
        }
    }

    private var explanations: Markup {
        let (name, called) = (ElementID("why"), appName ?? "the app")
        return Tag.section(.class("card"), .labelled(by: name)) {
            Tag.h2(.id(name)) { "Why an app may stop opening" }
            Tag.p {
                "Each device has a license for \(called). The device renews it automatically before it expires. If "
                    + "that fails, the app doesn’t open until the license is renewed."
            }
            Tag.dl(.class("reasons")) {
                reason("The license has expired", "The device was switched off or offline when renewal was due.")
                reason(
                    "Your subscription has ended",
                    "Licenses are issued only while it lasts. Renew it to open the app again.")
                reason("Too many devices", limit)
                reason(
                    "The vendor stopped the license",
                    "A license can be suspended or revoked. Ask support for the reason.")
            }
        }
    }

    private func reason(_ name: String, _ text: String) -> Markup {
        Tag.div {
            Tag.dt { name }
            Tag.dd { text }
        }
    }

    private var limit: String {
        let most =
            switch app?.rules.deviceLimit {
            case nil: "An app may be limited to a number of devices"
            case 1: "You can use the app on one device at once"
            case .some(let count): "You can use the app on \(count) devices at once"
            }
        return "\(most). Release one to use another."
    }
}
