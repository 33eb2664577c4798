extension Reason.Kind {
    /// The account has no right to the app.
    public static let notGranted = Reason.Kind(
        "not_granted", "The app has not been granted to this account, or no longer is.",
        cure: "Get the app in the marketplace with this account.", facts: [.text("appleItemID")], since: "0.2")
    /// The account's right to the app ran out.
    public static let subscriptionExpired = Reason.Kind(
        "subscription_expired", "The subscription to the app ended.",
        cure: "Renew it in the marketplace, then try again.",
        facts: [.text("appleItemID"), .date("expiredAt")], since: "0.2")
    /// The app has to be got before it can be installed.
    public static let purchaseRequired = Reason.Kind(
        "purchase_required", "The app has to be got before it can be installed.",
        cure: "Get the app in the marketplace with this account.", facts: [.text("appleItemID")], since: "0.2")
    /// The marketplace has no such version.
    public static let versionUnknown = Reason.Kind(
        "version_unknown", "The marketplace does not have this version of the app.",
        cure: "Install the newest version instead.", facts: [.text("appleItemID"), .text("appleVersionID")],
        since: "0.2")
    /// The vendor holds the version back.
    public static let versionHeld = Reason.Kind(
        "version_held", "The vendor holds this version of the app back.",
        cure: "Install another version, or wait until it is released.",
        facts: [.text("appleItemID"), .text("appleVersionID")], since: "0.2")
    /// App Store Connect has taken the version down.
    public static let versionWithdrawn = Reason.Kind(
        "version_withdrawn", "This version of the app was taken down.",
        cure: "Install the newest version instead.", facts: [.text("appleItemID"), .text("appleVersionID")],
        since: "0.2")
    /// The app is not offered where whoever asks is.
    public static let territoryClosed = Reason.Kind(
        "territory_closed", "The app is not offered in this country or region.", cure: "Use another app.",
        facts: [.text("appleItemID"), .text("territory")], since: "0.2")
    /// Nothing says yet where the package is, or for which devices.
    public static let packageNotReady = Reason.Kind(
        "package_not_ready", "The package of the app cannot be had yet.",
        cure:
            "Try again later. The vendor: bring the package in with `tenure marketplace ingest`, or say in packageURL where it is served.",
        facts: [.text("appleItemID")], since: "0.2")
    /// The package has nothing for this kind of device.
    public static let platformUnsupported = Reason.Kind(
        "platform_unsupported", "The app is not made for this kind of device.", cure: "Use it on another device.",
        facts: [.text("appleItemID"), .text("platform")], since: "0.2")
    /// The device's system is older than the app needs.
    public static let systemTooOld = Reason.Kind(
        "system_too_old", "The app needs a newer system.", cure: "Update the system of this device, then try again.",
        facts: [.text("appleItemID"), .text("lowestSystem")], since: "0.2")

    /// Those of what is offered to a device.
    public static let offers: [Reason.Kind] = [
        .notGranted, .subscriptionExpired, .purchaseRequired, .territoryClosed, .versionUnknown, .versionWithdrawn,
        .versionHeld, .packageNotReady, .platformUnsupported, .systemTooOld,
    ]
}

extension Reason {
    static func notGranted(_ item: AppleItemID) -> Reason { Reason(.notGranted, evidence: [.app(item)]) }

    static func subscriptionExpired(_ item: AppleItemID, at moment: Timestamp) -> Reason {
        Reason(
            .subscriptionExpired, message: "The subscription ended on \(moment).",
            evidence: [.app(item), .init("expiredAt", .date(moment))])
    }

    /// The same as ``Kind/notGranted`` to a person who stands before the button that gets the app.
    public static func purchaseRequired(_ item: AppleItemID) -> Reason {
        Reason(.purchaseRequired, evidence: [.app(item)])
    }

    /// The marketplace has no version that is written so.
    static func versionUnknown(_ item: AppleItemID, written version: String) -> Reason {
        Reason(
            .versionUnknown, message: "The marketplace has no version \(version) of the app \(item).",
            evidence: [.app(item), .init("appleVersionID", .text(version))])
    }

    static func versionHeld(_ item: AppleItemID, _ version: AppleVersionID) -> Reason {
        Reason(.versionHeld, evidence: [.app(item), .init("appleVersionID", .text(version.description))])
    }

    static func versionWithdrawn(_ item: AppleItemID, _ version: AppleVersionID) -> Reason {
        Reason(.versionWithdrawn, evidence: [.app(item), .init("appleVersionID", .text(version.description))])
    }

    static func territoryClosed(_ item: AppleItemID, in territory: Territory) -> Reason {
        Reason(
            .territoryClosed, message: "The app is not offered in \(territory).",
            evidence: [.app(item), .init("territory", .text(territory.code))])
    }

    static func packageNotReady(_ item: AppleItemID) -> Reason { Reason(.packageNotReady, evidence: [.app(item)]) }

    static func platformUnsupported(_ item: AppleItemID, _ platform: ApplePlatform) -> Reason {
        Reason(
            .platformUnsupported, message: "The app is not made for \(platform.rawValue).",
            evidence: [.app(item), .init("platform", .text(platform.rawValue))])
    }

    static func systemTooOld(_ item: AppleItemID, needing lowest: SystemVersion) -> Reason {
        Reason(
            .systemTooOld, message: "The app needs system \(lowest) or a newer one.",
            evidence: [.app(item), .init("lowestSystem", .text(lowest.description))])
    }
}
