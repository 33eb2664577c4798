import TenureCore
import TenureMarketplace
package import TenureServerKit

/// The content of an app's product page.
package struct ProductView: Sendable, Hashable {
    let name: String
    let marketplace: String
    /// Whether the page is about the marketplace's own app.
    let isMarketplaceApp: Bool
    /// The offered version; `nil` if no version is offered.
    let version: AppVersion?
    /// Why no version is offered; `nil` if one is.
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
    func page(in language: PageLanguage) -> Page {
        Page(status: reason?.code == Reason.Kind.appWithdrawn ? 404 : 200, title: name) {
            Tag.div {
                Tag.h1 { Tag.bdi { name } }
                Tag.p(.class("lead")) { say(isMarketplaceApp ? .ownLead : .lead, in: language) }
            }
            if let version { offered(version, in: language) } else { absent(in: language) }
        }
    }

    private func say(_ text: ProductPageText, in language: PageLanguage) -> String {
        text(in: language, ["app": name, "marketplace": marketplace])
    }

    private func offered(_ version: AppVersion, in language: PageLanguage) -> Markup {
        let title = ElementID("get")
        return Tag.section(.class("card"), .labelled(by: title)) {
            Tag.h2(.id(title)) { say(isMarketplaceApp ? .installTitle : .getTitle, in: language) }
            Tag.dl(.class("facts")) {
                for fact in facts(of: version, in: language) {
                    Tag.fact(fact.name) { fact.value }
                }
            }
            if let link {
                Tag.div(.class("acts")) { Tag.a(.class("button"), .href(link)) { say(.install, in: language) } }
                Tag.p(.class("soft small")) { say(.installHint, in: language) }
            } else if isMarketplaceApp {
                Tag.p { say(.notNow, in: language) }
            } else {
                steps(in: language)
            }
        }
    }

    private func steps(in language: PageLanguage) -> Markup {
        .sequence([
            Tag.ol(.class("steps")) {
                if let wayIn {
                    Tag.li {
                        ProductPageText.stepGet.markup(
                            in: language, with: ["link": Tag.a(.href(wayIn)) { say(.marketplaceApp, in: language) }])
                    }
                }
                Tag.li { say(.stepOpen, in: language) }
                Tag.li { say(.stepFind, in: language) }
            },
            Tag.p(.class("soft small")) { say(.browserHint, in: language) },
        ])
    }

    private func absent(in language: PageLanguage) -> Markup {
        let title = ElementID("absent")
        let isWithdrawn = reason?.code == Reason.Kind.appWithdrawn
        return Tag.section(.class("card"), .labelled(by: title)) {
            Tag.div(.class("device")) {
                Tag.span(.class("mark warn")) { say(isWithdrawn ? .withdrawn : .unavailable, in: language) }
            }
            Tag.h2(.id(title)) { say(isWithdrawn ? .withdrawnTitle : .unavailableTitle, in: language) }
            Tag.p { say(isWithdrawn ? .withdrawnText : .unavailableText, in: language) }
        }
    }

    /// A fact about a version, with its label.
    struct Fact: Sendable, Hashable {
        let name: String
        let value: String
    }

    func facts(of version: AppVersion, in language: PageLanguage = .english) -> [Fact] {
        var facts = [Fact(name: say(.version, in: language), value: version.shortVersion)]
        if let bytes = version.downloadBytes {
            facts.append(Fact(name: say(.download, in: language), value: Self.size(bytes, in: language)))
        }
        let systems = ApplePlatform.allCases.compactMap { platform in
            version.lowestSystems[platform].map { "\(platform.rawValue) \($0)" }
        }
        if let first = systems.first {
            let all = systems.dropFirst().reduce(first) { ProductPageText.or(in: language, ["one": $0, "other": $1]) }
            facts.append(
                Fact(
                    name: say(.requires, in: language), value: ProductPageText.orNewer(in: language, ["systems": all])))
        }
        return facts
    }

    /// The download size as app stores show it, such as `1.2 GB` or `180 to 234 MB, depending on the device`.
    package static func size(_ bytes: ClosedRange<Int64>, in language: PageLanguage = .english) -> String {
        let (least, most) = (amount(bytes.lowerBound), amount(bytes.upperBound))
        if least == most { return "\(most.text) \(most.unit)" }
        guard least.unit == most.unit else {
            return ProductPageText.sizeRange(
                in: language, ["least": "\(least.text) \(least.unit)", "most": "\(most.text) \(most.unit)"])
        }
        return ProductPageText.sizeRangeUnit(
            in: language, ["least": least.text, "most": most.text, "unit": most.unit])
    }

    /// The size in kB, MB or GB, rounded up; with one decimal below ten.
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
