extension ReasonCode {
    /// The marketplace does not list the app.
    public static let appUnknown = ReasonCode("app_unknown")
    /// The marketplace has no such version of the app.
    public static let appVersionUnknown = ReasonCode("app_version_unknown")
    /// There is no key blob for the asset.
    public static let appKeyMissing = ReasonCode("app_key_missing")
    /// The app was taken down.
    public static let appWithdrawn = ReasonCode("app_withdrawn")
    /// The app was never granted to the account.
    public static let appNotGranted = ReasonCode("app_not_granted")
    /// The operator ended the account's right to the app.
    public static let appGrantEnded = ReasonCode("app_grant_ended")
    /// The account's right to the app ran out.
    public static let appGrantExpired = ReasonCode("app_grant_expired")
    /// The app is on as many devices as are allowed.
    public static let deviceLimitReached = ReasonCode("device_limit_reached")
    /// No license of this device and account has that id.
    public static let appLicenseUnknown = ReasonCode("app_license_unknown")
    /// The license expired longer ago than is forgiven.
    public static let appRenewalTooLate = ReasonCode("app_renewal_too_late")
    /// The sealed request does not ask for the app.
    public static let appNotRequested = ReasonCode("app_not_requested")
}

extension Reason {
    /// The marketplace does not list the app.
    public static func appUnknown(_ item: AppleItemID) -> Reason {
        Reason(
            code: .appUnknown, message: "The marketplace does not list the app \(item).",
            cure: "List it in the catalog and apply it.", evidence: [.app(item)])
    }

    /// The marketplace has no such version of the app.
    static func appVersionUnknown(_ asset: AssetRef) -> Reason {
        Reason(
            code: .appVersionUnknown,
            message: "The marketplace has no version \(asset.version) of the app \(asset.item).",
            cure: "Add the version's package to the catalog and apply it.",
            evidence: [.app(asset.item), .init("appleVersionID", .text(asset.version.description))])
    }

    /// The server has no key of the asset, so that no license can be written for it.
    static func appKeyMissing(_ asset: AssetRef) -> Reason {
        Reason(
            code: .appKeyMissing, message: "There is no key blob for the asset \(asset.asset).",
            cure: "Add it to the package's keyblobs.json and apply the catalog.",
            evidence: [
                .app(asset.item), .init("appleVersionID", .text(asset.version.description)),
                .init("asset", .text(asset.asset.text)),
            ])
    }

    /// The app was taken down.
    static func appWithdrawn(_ item: AppleItemID) -> Reason {
        Reason(
            code: .appWithdrawn, message: "The app is no longer offered.",
            cure: "Ask the vendor whether it comes back.", evidence: [.app(item)])
    }

    /// The app was never granted to the account.
    public static func appNotGranted(_ item: AppleItemID) -> Reason {
        Reason(
            code: .appNotGranted, message: "The app has not been granted to this account.",
            cure: "Get the app in the marketplace with this account, or use the account that has it.",
            evidence: [.app(item)])
    }

    /// The operator ended the account's right to the app.
    static func appGrantEnded(_ item: AppleItemID, at moment: Timestamp) -> Reason {
        Reason(
            code: .appGrantEnded, message: "This account's access to the app was ended on \(moment).",
            cure: "Ask the vendor, or get the app again in the marketplace.",
            evidence: [.app(item), .init("endedAt", .date(moment))])
    }

    /// The account's right to the app ran out.
    static func appGrantExpired(_ item: AppleItemID, at moment: Timestamp) -> Reason {
        Reason(
            code: .appGrantExpired, message: "The subscription ended on \(moment).",
            cure: "Renew it in the marketplace; the app starts again after that.",
            evidence: [.app(item), .init("expiredAt", .date(moment))])
    }

    /// The app is on as many of the account's devices as the vendor allows.
    static func deviceLimitReached(taken: Int, of limit: Int) -> Reason {
        Reason(
            code: .deviceLimitReached,
            message: "The app is licensed on \(taken) other devices of this account; "
                + "\(limit) are allowed.",
            cure: "Release a device that no longer needs it, then try again.",
            evidence: [.init("devices", .number(Int64(taken))), .init("deviceLimit", .number(Int64(limit)))])
    }

    /// The license is another device's or another account's, or none; it must not tell which.
    public static let appLicenseForeign = Reason(
        code: .appLicenseUnknown, message: "No license of this device and account has that id.",
        cure: "Install the app again from the marketplace.")

    /// The operator stopped the license, finally.
    static let appLicenseRevoked = Reason(
        code: .licenseRevoked, message: "The license of this app was revoked.",
        cure: "Ask the vendor why; a new license can be granted.")

    /// The operator stopped the license, reversibly.
    static let appLicenseSuspended = Reason(
        code: .licenseSuspended, message: "The license of this app is suspended.",
        cure: "Ask the vendor to reinstate it; then ask for renewal.")

    /// The device gave its place back.
    static let appLicenseReturned = Reason(
        code: .licenseReturned, message: "The app was released on this device.",
        cure: "Install it again from the marketplace to license this device anew.")

    /// The license expired longer ago than is forgiven.
    static func appRenewalTooLate(end: Timestamp, days: Int) -> Reason {
        Reason(
            code: .appRenewalTooLate, message: "The license expired on \(end), more than \(days) days ago.",
            cure: "Install the app again from the marketplace.",
            evidence: [.init("expiredAt", .date(end)), .init("renewAfterExpiryDays", .number(Int64(days)))])
    }

    /// What the request says outside its envelope and inside it do not agree.
    public static func appNotRequested(_ item: AppleItemID) -> Reason {
        Reason(
            code: .appNotRequested, message: "The sealed request does not ask for the app \(item).",
            cure: "Nothing needs to be done; a device that does this is not to be trusted.", evidence: [.app(item)])
    }
}

extension Reason.Evidence {
    fileprivate static func app(_ item: AppleItemID) -> Reason.Evidence {
        .init("appleItemID", .text(item.description))
    }
}
