package import TenureCore
package import TenureMarketplace
package import TenureServerKit

/// What a page shows about one license, chosen from its explanation.
package struct LicenseCard: Sendable, Hashable {
    /// The status of the app on the device.
    package enum Light: Sendable, Hashable {
        /// The app opens and will keep opening.
        case opens
        /// The app opens now, but something will stop it.
        case opensUntil
        /// The app doesn't open, and something can be done.
        case closed
        /// The app no longer has a license on this device.
        case over
    }

    package let id: LicenseID
    package let appName: String
    /// The link for more about the app; `nil` if the catalog no longer lists it.
    package let link: PageLink?
    /// A short name that tells the account's devices apart.
    package let device: String
    /// The licensed version for display; `nil` if it's no longer listed.
    package let version: String?
    package let standing: LicenseStanding
    package let light: Light
    /// When the device first received this license.
    package let issuedAt: Timestamp
    /// When it was last renewed; `nil` if never.
    package let renewedAt: Timestamp?
    /// When it ends or ended; `nil` for never.
    package let end: Timestamp?
    /// When it was stopped or released.
    package let stoppedAt: Timestamp?
    /// When a renewal was last refused in this term.
    package let failedAt: Timestamp?
    /// Every reason that prevents a renewal, most specific first.
    package let reasons: [Reason]
    /// The app's device limit; `nil` without one.
    package let deviceLimit: Int?
    /// The time that the card refers to.
    package let now: Timestamp

    /// Creates a card from an explained license.
    package init(_ explained: ExplainedApp.License, of app: MarketplaceApp?, at now: Timestamp) {
        let license = explained.license
        id = license.id
        appName = AppName(of: app, item: license.item).text
        link = app?.shareLink(of: license.tenant)
        device = Self.name(of: license.device)
        version = app?.versions[license.asset.version]?.shortVersion
        standing = LicenseStanding(of: explained)
        light = Self.light(standing, isOver: license.term.isOver(at: now))
        issuedAt = license.issuedAt
        renewedAt = license.term.start > license.issuedAt ? license.term.start : nil
        end = license.term.end
        stoppedAt = license.stoppedAt
        failedAt = license.failedAt
        reasons = explained.explanation.reasons
        deviceLimit = app?.rules.deviceLimit
        self.now = now
    }

    private static func light(_ standing: LicenseStanding, isOver: Bool) -> Light {
        switch standing {
        case .fine: .opens
        case .revoked, .released: .over
        case .suspended: isOver ? .closed : .opensUntil
        case .expired, .renewalFailed, .subscriptionEnded, .accessEnded, .notGranted, .deviceLimit, .withdrawn,
            .tooLate,
            .vendorSide:
            isOver ? .closed : .opensUntil
        }
    }

    /// A name from four digits of the device's digest, the only thing known about a device.
    private static func name(of device: Digest) -> String {
        "Device \(SupportReference(of: device).description.prefix(4))"
    }
}

/// The name of an app on pages.
package struct AppName: Sendable, Hashable {
    package let text: String

    /// Uses the vendor's name, or else the bundle id or Apple's item id.
    package init(of app: MarketplaceApp?, item: AppleItemID) {
        text = app.flatMap { $0.name ?? $0.bundleID } ?? "App \(item)"
    }
}
