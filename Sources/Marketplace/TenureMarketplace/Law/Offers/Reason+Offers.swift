public import TenureCore

extension Reason.Kind {
    /// The account has no right to the app.
    public static let notGranted = Reason.Kind(
        "not_granted", "This account doesn't have access to the app, or no longer has it.",
        cure: "Get the app in the marketplace with this account.", facts: [.text("appleItemID")], since: "0.2")
    /// The account's right to the app has expired.
    public static let subscriptionExpired = Reason.Kind(
        "subscription_expired", "The subscription to the app has expired.",
        cure: "Renew it in the marketplace, then try again.",
        facts: [.text("appleItemID"), .date("expiredAt")], since: "0.2")
    /// The customer has to get the app before it can be installed.
    public static let purchaseRequired = Reason.Kind(
        "purchase_required", "You need to get the app before you can install it.",
        cure: "Get the app in the marketplace with this account.", facts: [.text("appleItemID")], since: "0.2")
    /// The marketplace doesn't have this version of the app.
    public static let versionUnknown = Reason.Kind(
        "version_unknown", "The marketplace doesn't have this version of the app.",
        cure: "Install the latest version instead.", facts: [.text("appleItemID"), .text("appleVersionID")],
        since: "0.2")
    /// The vendor holds the version back.
    public static let versionHeld = Reason.Kind(
        "version_held", "The vendor hasn't released this version of the app yet.",
        cure: "Install another version, or wait until this one is released.",
        facts: [.text("appleItemID"), .text("appleVersionID")], since: "0.2")
    /// App Store Connect has withdrawn the version.
    public static let versionWithdrawn = Reason.Kind(
        "version_withdrawn", "This version of the app has been withdrawn.",
        cure: "Install the latest version instead.", facts: [.text("appleItemID"), .text("appleVersionID")],
        since: "0.2")
    /// The app isn't offered in the caller's country or region.
    public static let territoryClosed = Reason.Kind(
        "territory_closed", "The app isn't available in this country or region.",
        cure: "Choose another app, or ask the vendor whether this one will become available.",
        vendorCure: "Add the territory to the app in the catalog, then run `tenure apply`.",
        facts: [.text("appleItemID"), .text("territory")], since: "0.2")
    /// The server doesn't know yet where the package is, or which devices it supports.
    public static let packageNotReady = Reason.Kind(
        "package_not_ready", "The app can't be downloaded yet.",
        cure:
            "Try again later. Vendors: run `tenure marketplace ingest`, or set packageURL in the catalog.",
        facts: [.text("appleItemID")], since: "0.2")
    /// The package doesn't support this kind of device.
    public static let platformUnsupported = Reason.Kind(
        "platform_unsupported", "The app doesn't support this kind of device.",
        cure: "Use the app on a device that it supports.",
        facts: [.text("appleItemID"), .text("platform")], since: "0.2")
    /// The device's system is older than the app requires.
    public static let systemTooOld = Reason.Kind(
        "system_too_old", "The app needs a newer version of the operating system.",
        cure: "Update this device's operating system, then try again.",
        facts: [.text("appleItemID"), .text("lowestSystem")], since: "0.2")

    /// The kinds of reasons for not offering an app.
    public static let offers: [Reason.Kind] = [
        .notGranted, .subscriptionExpired, .purchaseRequired, .territoryClosed, .versionUnknown, .versionWithdrawn,
        .versionHeld, .packageNotReady, .platformUnsupported, .systemTooOld,
    ]
}

extension Reason {
    static func notGranted(_ item: AppleItemID) -> Reason { Reason(.notGranted, evidence: [.app(item)]) }

    static func subscriptionExpired(_ item: AppleItemID, at time: Timestamp) -> Reason {
        Reason(
            .subscriptionExpired, message: "The subscription expired on \(time).",
            evidence: [.app(item), .init("expiredAt", .date(time))])
    }

    /// The account has no right to the app, but its user can get it in the marketplace.
    public static func purchaseRequired(_ item: AppleItemID) -> Reason {
        Reason(.purchaseRequired, evidence: [.app(item)])
    }

    /// The marketplace has no version with this id, or the requested text isn't an id.
    static func versionUnknown(_ item: AppleItemID, written version: String) -> Reason {
        Reason(
            .versionUnknown, message: "The marketplace doesn't have version \(version) of the app \(item).",
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
            .territoryClosed, message: "The app isn't available in \(territory).",
            evidence: [.app(item), .init("territory", .text(territory.code))])
    }

    static func packageNotReady(_ item: AppleItemID) -> Reason { Reason(.packageNotReady, evidence: [.app(item)]) }

    static func platformUnsupported(_ item: AppleItemID, _ platform: ApplePlatform) -> Reason {
        Reason(
            .platformUnsupported, message: "The app doesn't support \(platform.rawValue).",
            evidence: [.app(item), .init("platform", .text(platform.rawValue))])
    }

    static func systemTooOld(_ item: AppleItemID, needing lowest: SystemVersion) -> Reason {
        Reason(
            .systemTooOld, message: "The app needs version \(lowest) or later of the operating system.",
            evidence: [.app(item), .init("lowestSystem", .text(lowest.description))])
    }
}
