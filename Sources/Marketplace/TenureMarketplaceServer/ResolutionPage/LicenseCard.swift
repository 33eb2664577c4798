package import TenureCore
package import TenureMarketplace
package import TenureServerKit

/// The content of a page's card about one license, derived from the license's explanation.
package struct LicenseCard: Sendable, Hashable {
    /// The status of the app on the device.
    package enum Light: Sendable, Hashable {
        /// The app opens, and its license can be renewed.
        case opens
        /// The app opens now, but stops unless its license is renewed in time.
        case opensUntil
        /// The app doesn't open, because its license has expired.
        case closed
        /// The license was revoked, or the device was released.
        case over
    }

    package let id: LicenseID
    package let appName: String
    /// The link to more information about the app; `nil` if the catalog no longer lists it.
    package let link: PageLink?
    /// A name with four characters of the device's digest, because the server stores nothing else about the device.
    package let device: String
    /// The licensed version for display; `nil` if it's no longer listed.
    package let version: String?
    package let status: LicenseStanding
    package let light: Light
    /// Whether the device has the license; otherwise, the license can be neither renewed nor released.
    package let isDelivered: Bool
    /// When the device first received this license.
    package let issuedAt: Timestamp
    /// When the license was last renewed; `nil` if it has never been renewed.
    package let renewedAt: Timestamp?
    /// When the license expires or expired; `nil` if it never expires.
    package let end: Timestamp?
    /// When the license was suspended or revoked, or the device was released; `nil` if none of these has happened.
    package let stoppedAt: Timestamp?
    /// When a renewal was last refused in this term; `nil` if no renewal was refused.
    package let failedAt: Timestamp?
    /// Every reason that prevents a renewal, most specific first.
    package let reasons: [Reason]
    /// The app's device limit; `nil` if there is no limit.
    package let deviceLimit: Int?
    /// The time for which the card was created.
    package let now: Timestamp
    /// The language and the time zone of the card's sentences.
    let locale: PageLocale

    package init(
        _ explained: ExplainedApp.License, of app: MarketplaceApp?, at now: Timestamp,
        in locale: PageLocale = PageLocale()
    ) {
        let license = explained.license
        id = license.id
        appName = AppName(of: app, item: license.item).text
        link = app?.shareLink(of: license.tenant)
        device = ResolutionPageText.device(
            in: locale.language, ["code": String(SupportReference(of: license.device).description.prefix(4))])
        self.locale = locale
        version = app?.versions[license.asset.version]?.shortVersion
        status = LicenseStanding(of: explained)
        isDelivered = !license.isUndelivered
        light = isDelivered ? Self.light(status, isOver: license.term.isOver(at: now)) : .closed
        issuedAt = license.issuedAt
        renewedAt = license.term.start > license.issuedAt ? license.term.start : nil
        end = license.term.end
        stoppedAt = license.stoppedAt
        failedAt = license.failedAt
        reasons = explained.explanation.reasons
        deviceLimit = app?.rules.deviceLimit
        self.now = now
    }

    private static func light(_ status: LicenseStanding, isOver: Bool) -> Light {
        switch status {
        case .fine: .opens
        case .revoked, .released: .over
        case .suspended: isOver ? .closed : .opensUntil
        case .expired, .renewalFailed, .subscriptionEnded, .accessEnded, .notGranted, .deviceLimit, .withdrawn,
            .tooLate,
            .vendorSide:
            isOver ? .closed : .opensUntil
        }
    }

    /// A sentence about the app in the card's language.
    func say(
        _ text: ResolutionPageText, count: Int? = nil, _ values: KeyValuePairs<String, String> = [:]
    ) -> String {
        values.isEmpty
            ? text(in: locale.language, count: count, ["app": appName])
            : text(in: locale.language, count: count, values)
    }

    /// A sentence about the app with a date.
    func say(_ text: ResolutionPageText, on date: Timestamp) -> String {
        text(in: locale.language, ["app": appName, "date": date.forPeople(in: locale)])
    }
}

/// The name of an app on pages.
package struct AppName: Sendable, Hashable {
    package let text: String

    /// The vendor's name for the app, or else its bundle id or Apple's item id.
    package init(of app: MarketplaceApp?, item: AppleItemID) {
        text = app.flatMap { $0.name ?? $0.bundleID } ?? "App \(item)"
    }
}
