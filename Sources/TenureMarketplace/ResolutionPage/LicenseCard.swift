package import TenureCore
package import TenurePages

/// What a page shows of one license: facts only, chosen from what the law explains.
package struct LicenseCard: Sendable, Hashable {
    /// How the app stands on the device at this moment.
    package enum Light: Sendable, Hashable {
        /// It opens, and goes on doing so.
        case opens
        /// It opens, and something will stop it.
        case opensUntil
        /// It does not open, and something can be done.
        case closed
        /// It is over on this device.
        case over
    }

    /// Which license.
    package let id: LicenseID
    /// What the app is called.
    package let appName: String
    /// Where the app is shown on the web, if the vendor said so and it can be linked.
    package let link: PageLink?
    /// What tells one device from another.
    package let device: String
    /// The version that was licensed, as people know it; nil when it is no longer listed.
    package let version: String?
    /// How it stands.
    package let standing: LicenseStanding
    /// How the app stands on the device.
    package let light: Light
    /// When the device first got a license.
    package let issuedAt: Timestamp
    /// When it was last renewed; nil when it never was.
    package let renewedAt: Timestamp?
    /// When it ends or ended; nil for never.
    package let end: Timestamp?
    /// When it was stopped or given back.
    package let stoppedAt: Timestamp?
    /// When a renewal was last refused in this term.
    package let failedAt: Timestamp?
    /// Every reason that keeps it from being renewed, most specific first.
    package let reasons: [Reason]
    /// The app's device limit, if it has one.
    package let deviceLimit: Int?
    /// The moment of which this is true.
    package let now: Timestamp

    /// Takes from a license what a page shows.
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

    /// Four digits of the device's digest: enough to tell an account's devices apart, and nothing more is known of them.
    private static func name(of device: Digest) -> String {
        "Device \(SupportReference(of: device).description.prefix(4))"
    }
}

/// What an app is called on pages.
package struct AppName: Sendable, Hashable {
    /// The name.
    package let text: String

    /// The name that the vendor gave, or the bundle, or Apple's number.
    package init(of app: MarketplaceApp?, item: AppleItemID) {
        text = app.flatMap { $0.name ?? $0.bundleID } ?? "App \(item)"
    }
}
