public import TenureCore

extension EventKind {
    /// An app license was issued to a device.
    public static let appLicenseIssued = EventKind(
        "app_license.issued", "An app license was issued to a device.",
        facts: [.text("appleVersionID"), .text("asset"), .dateOrNever("expiresAt")], since: "0.1")
    /// A request for an app license was refused; the event's fact `reason` names the reason.
    public static let appLicenseRefused = EventKind(
        "app_license.refused",
        "A request for an app license was refused. With `count`, so many further requests were refused within a minute, beyond the first 60.",
        facts: [
            .text("appleVersionID").optional, .text("asset").optional, .text("reason"), .text("device").optional,
            .text("request").optional, .number("count").optional,
        ],
        since: "0.1")
    /// An app license got a new term.
    public static let appLicenseRenewed = EventKind(
        "app_license.renewed", "An app license was renewed.",
        facts: [.date("previousEnd").optional, .dateOrNever("newEnd")], since: "0.1")
    /// A renewal was refused; the event's fact `reason` names the reason.
    public static let appLicenseIneligible = EventKind(
        "app_license.ineligible", "The renewal of an app license was refused.", facts: [.text("reason")], since: "0.1")
    /// An app license was suspended; it can be reinstated.
    public static let appLicenseSuspended = EventKind(
        "app_license.suspended", "An app license was suspended. It can be reinstated.", facts: [.text("previousState")],
        since: "0.1")
    /// A suspended app license was reinstated.
    public static let appLicenseReinstated = EventKind(
        "app_license.reinstated", "A suspended app license was reinstated.", facts: [.text("previousState")],
        since: "0.1")
    /// An app license was revoked for good.
    public static let appLicenseRevoked = EventKind(
        "app_license.revoked", "An app license was revoked for good.", facts: [.text("previousState")], since: "0.1")
    /// An app license was returned, which frees the device.
    public static let appLicenseReturned = EventKind(
        "app_license.returned", "An app license was returned, and its device no longer counts.",
        facts: [.text("previousState"), .text("reference").optional], since: "0.1")
    /// An app was granted to an account.
    public static let appGranted = EventKind(
        "app_grant.granted", "An app was granted to an account.", facts: [.dateOrNever("expiresAt").optional],
        since: "0.1")
    /// The operator ended an account's right to an app.
    public static let appGrantEnded = EventKind(
        "app_grant.ended", "An account's grant for an app was ended.", since: "0.1")
    /// Signing keys of a marketplace were created, imported or rotated.
    public static let marketplaceKeyAdded = EventKind(
        "marketplace.key_added", "Signing assets of a marketplace were created, imported or rotated.",
        facts: [.text("purpose"), .text("kid"), .text("origin"), .date("namedFrom")], since: "0.1")

    /// App Store Connect made an app or one of its packages unavailable.
    public static let appClosed = EventKind(
        "app.closed", "App Store Connect closed an app, or one of its packages: everywhere, or in territories.",
        facts: [.text("notification"), .text("package").optional, .text("territories").optional], since: "0.2")
    /// App Store Connect made an app or one of its packages available again.
    public static let appOpened = EventKind(
        "app.opened", "App Store Connect opened an app, or one of its packages, again.",
        facts: [.text("notification"), .text("package").optional, .text("territories").optional], since: "0.2")
    /// The operator undid a notification from App Store Connect.
    public static let noticeForgotten = EventKind(
        "app.notification_forgotten", "The operator undid a notification from App Store Connect.",
        facts: [.text("notification")], since: "0.2")

    /// All kinds of events about a marketplace's licenses, grants, keys and notifications.
    public static let appLicensing: [EventKind] = [
        .appLicenseIssued, .appLicenseRefused, .appLicenseRenewed, .appLicenseIneligible, .appLicenseSuspended,
        .appLicenseReinstated, .appLicenseRevoked, .appLicenseReturned, .appGranted, .appGrantEnded,
        .marketplaceKeyAdded, .appClosed, .appOpened, .noticeForgotten,
    ]
}
