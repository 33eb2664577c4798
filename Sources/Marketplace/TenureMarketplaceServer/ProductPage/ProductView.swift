import TenureCore
import TenureMarketplace
import TenureServerKit

/// The content of an app's product page.
package struct ProductView: Sendable, Hashable {
    let name: String
    let marketplace: String
    /// Whether the page is about the marketplace's own app.
    let isMarketplaceApp: Bool
    /// The offered version; `nil` if no version is offered.
    let version: AppVersion?
    /// Why no version is offered.
    let reason: Reason?
    /// The installation link; `nil` if a browser can't install the app.
    let link: PageLink?
    /// The product page of the marketplace app; `nil` if the marketplace doesn't list it or this is its page.
    let wayIn: PageLink?

    /// Creates the page's content.
    ///
    /// - Parameter decision: The newest version for any device, or why no version is offered.
    init(
        _ app: MarketplaceApp, at marketplace: Marketplace, of tenant: TenantID, offered decision: Decision<AppOffer>,
        link: PageLink?
    ) {
        name = AppName(of: app, item: app.item).text
        self.marketplace = marketplace.name
        isMarketplaceApp = app.item == marketplace.appleItemID
        self.link = link
        reason = decision.refusal?.first
        version = if case .granted(let offer) = decision { offer.version } else { nil }
        let own = marketplace.appleItemID.flatMap { marketplace.apps[$0] }
        wayIn = own.flatMap { $0.item == app.item ? nil : $0.shareLink(of: tenant) }
    }

    /// The page, with status 404 for a withdrawn app.
    var page: Page {
        Page(status: reason?.code == Reason.Kind.appWithdrawn ? 404 : 200, title: name) {
            Tag.div {
                Tag.h1 { Tag.bdi { name } }
                Tag.p(.class("lead")) {
                    isMarketplaceApp ? "The app where you find all other apps." : "An app from \(marketplace)."
                }
            }
            if let version { offered(version) } else { absent }
        }
    }

    private func offered(_ version: AppVersion) -> Markup {
        let title = ElementID("get")
        return Tag.section(.class("card"), .labelled(by: title)) {
            Tag.h2(.id(title)) { isMarketplaceApp ? "Install it" : "Get it in \(marketplace)" }
            Tag.dl(.class("facts")) {
                for fact in facts(of: version) {
                    Tag.div {
                        Tag.dt { fact.name }
                        Tag.dd { fact.value }
                    }
                }
            }
            if let link {
                Tag.div(.class("acts")) { Tag.a(.class("button"), .href(link)) { "Install \(name)" } }
                Tag.p(.class("soft small")) {
                    "Open this page in Safari on your iPhone or iPad. The first time, your device asks you to allow "
                        + "apps from this developer in Settings. Then come back and tap the button again."
                }
            } else if isMarketplaceApp {
                Tag.p { "You can’t install it from this page at the moment. Please try again later." }
            } else {
                steps
            }
        }
    }

    private var steps: Markup {
        .sequence([
            Tag.ol(.class("steps")) {
                if let wayIn {
                    Tag.li {
                        "Get "
                        Tag.a(.href(wayIn)) { "the \(marketplace) app" }
                        ", if you don’t have it yet."
                    }
                }
                Tag.li { "Open \(marketplace) on your iPhone or iPad." }
                Tag.li { "Find \(name) there and install it." }
            },
            Tag.p(.class("soft small")) {
                "A browser can install only the \(marketplace) app, which then installs all other apps."
            },
        ])
    }

    private var absent: Markup {
        let title = ElementID("absent")
        let isWithdrawn = reason?.code == Reason.Kind.appWithdrawn
        return Tag.section(.class("card"), .labelled(by: title)) {
            Tag.div(.class("device")) {
                Tag.span(.class("mark warn")) { isWithdrawn ? "Withdrawn" : "Not available" }
            }
            Tag.h2(.id(title)) { isWithdrawn ? "This app is no longer offered" : "You can’t install it right now" }
            Tag.p {
                isWithdrawn
                    ? "Installed copies keep working for as long as their licenses allow."
                    : "There is no version to install at the moment. Please try again later."
            }
        }
    }

    /// A fact about a version, with its label.
    struct Fact: Sendable, Hashable {
        let name: String
        let value: String
    }

    func facts(of version: AppVersion) -> [Fact] {
        var facts = [Fact(name: "Version", value: version.shortVersion)]
        if let bytes = version.downloadBytes { facts.append(Fact(name: "Download", value: Self.size(bytes))) }
        let systems = ApplePlatform.allCases.compactMap { platform in
            version.lowestSystems[platform].map { "\(platform.rawValue) \($0)" }
        }
        if !systems.isEmpty {
            facts.append(Fact(name: "Requires", value: systems.joined(separator: " or ") + ", or newer"))
        }
        return facts
    }

    /// The download size as app stores show it, such as `1.2 GB` or `180 to 234 MB, depending on the device`.
    package static func size(_ bytes: ClosedRange<Int64>) -> String {
        let (least, most) = (amount(bytes.lowerBound), amount(bytes.upperBound))
        if least == most { return "\(most.text) \(most.unit)" }
        let first = least.unit == most.unit ? least.text : "\(least.text) \(least.unit)"
        return "\(first) to \(most.text) \(most.unit), depending on the device"
    }

    /// Rounds up, with one decimal below ten.
    private static func amount(_ bytes: Int64) -> (text: String, unit: String) {
        var (unit, scale): (String, Int64) = ("kB", 1_000)
        for (larger, size) in [("MB", Int64(1_000_000)), ("GB", 1_000_000_000)] where bytes >= size {
            (unit, scale) = (larger, size)
        }
        let (whole, rest) = max(bytes, 1).quotientAndRemainder(dividingBy: scale)
        // Tenths are rounded up separately, because adding before the division could overflow.
        let tenths = (rest + scale / 10 - 1) / (scale / 10)
        let isWhole = whole >= 10 || tenths == 0 || tenths == 10
        return (isWhole ? String(whole + (tenths > 0 ? 1 : 0)) : "\(whole).\(tenths)", unit)
    }
}
