public import TenureCore

extension Reason.Kind {
    /// The marketplace doesn't list the app.
    public static let appUnknown = Reason.Kind(
        "app_unknown", "The marketplace doesn't list this app.",
        cure: "Add the app to the catalog, then run `tenure apply`.",
        facts: [.text("appleItemID")], since: "0.1")
    /// The marketplace doesn't have this version of the app.
    public static let appVersionUnknown = Reason.Kind(
        "app_version_unknown", "The marketplace's catalog doesn't have this version of the app.",
        cure: "Add the version's package to the catalog, then run `tenure apply`.",
        facts: [.text("appleItemID"), .text("appleVersionID")], since: "0.1")
    /// The server has no key blob for the asset.
    public static let appKeyMissing = Reason.Kind(
        "app_key_missing", "The asset has no key blob.",
        cure: "Add it to the package's keyblobs.json, then run `tenure apply`.",
        facts: [.text("appleItemID"), .text("appleVersionID"), .text("asset")], since: "0.1")
    /// The app was taken down in the catalog or by App Store Connect.
    public static let appWithdrawn = Reason.Kind(
        "app_withdrawn", "The app is no longer available.", cure: "Ask the vendor whether it will be available again.",
        vendorCure: "List the app in the catalog again, then run `tenure apply`.",
        facts: [.text("appleItemID")], since: "0.1")
    /// The app was never granted to the account.
    public static let appNotGranted = Reason.Kind(
        "app_not_granted", "This account doesn't have access to the app.",
        cure: "Get the app in the marketplace with this account, or sign in with the account that has it.",
        vendorCure: "Grant the app with `tenure account grant ACCOUNT --item ITEM`.",
        facts: [.text("appleItemID")], since: "0.1")
    /// The operator ended the account's right to the app.
    public static let appGrantEnded = Reason.Kind(
        "app_grant_ended", "This account's access to the app has ended.",
        cure: "Get the app again in the marketplace, or ask the vendor.",
        vendorCure: "Grant the app again with `tenure account grant ACCOUNT --item ITEM`.",
        facts: [.text("appleItemID"), .date("endedAt")], since: "0.1")
    /// The account's right to the app has expired.
    public static let appGrantExpired = Reason.Kind(
        "app_grant_expired", "The subscription has expired.",
        cure: "Renew it in the marketplace. The app will then start again.",
        vendorCure: "Extend the grant with `tenure account grant ACCOUNT --item ITEM --until DATE`.",
        facts: [.text("appleItemID"), .date("expiredAt")], since: "0.1")
    /// The key of the app's version can't be used, so no license can be written.
    public static let appKeyUnusable = Reason.Kind(
        "app_key_unusable", "The key of this version of the app can't be used.",
        cure: "Try again later, or install another version of the app.",
        vendorCure: "Import the version's package again with `tenure marketplace ingest PATH`.",
        facts: [.text("appleItemID"), .text("appleVersionID"), .text("asset")], since: "0.2")
    /// This device and account have no license with this id.
    public static let appLicenseUnknown = Reason.Kind(
        "app_license_unknown", "This device and account have no license with that id.",
        cure: "Install the app again from the marketplace.", since: "0.1")
    /// The license expired longer ago than the rules allow for a renewal.
    public static let appRenewalTooLate = Reason.Kind(
        "app_renewal_too_late", "The license expired too long ago to be renewed.",
        cure: "Install the app again from the marketplace.",
        vendorCure:
            "Ask the person to install the app again, or raise `renewAfterExpiryDays` in the catalog, then run "
            + "`tenure apply`.",
        facts: [.date("expiredAt"), .number("renewAfterExpiryDays")], since: "0.1")
    /// The encrypted part of the request doesn't ask for the app that its envelope names.
    public static let appNotRequested = Reason.Kind(
        "app_not_requested", "The sealed request doesn't ask for this app.",
        cure: "No action is needed, but don't trust a device that sends such a request.",
        facts: [.text("appleItemID")], since: "0.1")
    /// All kinds of reasons for refusing app licenses and renewals.
    ///
    /// For stopped licenses, the kinds in ``licensing`` are used.
    public static let appLicensing: [Reason.Kind] = [
        .appUnknown, .appVersionUnknown, .appKeyMissing, .appWithdrawn, .appNotGranted, .appGrantEnded,
        .appGrantExpired, .deviceLimitReached, .appLicenseUnknown, .appRenewalTooLate, .appNotRequested,
        .appKeyUnusable,
    ]
}

extension Reason {
    /// The marketplace doesn't list the app.
    public static func appUnknown(_ item: AppleItemID) -> Reason {
        Reason(.appUnknown, message: "The marketplace doesn't list the app \(item).", evidence: [.app(item)])
    }

    /// The marketplace doesn't have this version of the app.
    static func appVersionUnknown(_ asset: AssetRef) -> Reason {
        Reason(
            .appVersionUnknown,
            message: "The marketplace's catalog doesn't have version \(asset.version) of the app \(asset.item).",
            evidence: [.app(asset.item), .init("appleVersionID", .text(asset.version.description))])
    }

    /// The server has no key blob for the asset, so no license can be written for it.
    static func appKeyMissing(_ asset: AssetRef) -> Reason {
        Reason(
            .appKeyMissing, message: "The asset \(asset.asset) has no key blob.",
            evidence: [
                .app(asset.item), .init("appleVersionID", .text(asset.version.description)),
                .init("asset", .text(asset.asset.text)),
            ])
    }

    /// The key of the asset can't be used, so no license can be written for it.
    static func appKeyUnusable(_ asset: AssetRef) -> Reason {
        Reason(
            .appKeyUnusable,
            evidence: [
                .app(asset.item), .init("appleVersionID", .text(asset.version.description)),
                .init("asset", .text(asset.asset.text)),
            ])
    }

    static func appWithdrawn(_ item: AppleItemID) -> Reason { Reason(.appWithdrawn, evidence: [.app(item)]) }

    /// The account has never been granted the app.
    public static func appNotGranted(_ item: AppleItemID) -> Reason { Reason(.appNotGranted, evidence: [.app(item)]) }

    static func appGrantEnded(_ item: AppleItemID, at time: Timestamp) -> Reason {
        Reason(
            .appGrantEnded, message: "This account's access to the app ended on \(time).",
            evidence: [.app(item), .init("endedAt", .date(time))])
    }

    static func appGrantExpired(_ item: AppleItemID, at time: Timestamp) -> Reason {
        Reason(
            .appGrantExpired, message: "The subscription expired on \(time).",
            evidence: [.app(item), .init("expiredAt", .date(time))])
    }

    static func deviceLimitReached(used: Int, of limit: Int) -> Reason {
        Reason(
            .deviceLimitReached,
            message: "The account's device limit for this app has been reached (\(used) of \(limit)).",
            evidence: [.init("devices", .number(Int64(used))), .init("deviceLimit", .number(Int64(limit)))])
    }

    /// The device limit isn't reached, but another device would exceed the limit on device changes.
    static func devicesUsedUp(_ devices: Int, of limit: Int, changes: Int, until: Timestamp?) -> Reason {
        let next = until.map { "; you can use it on another one on \($0)" } ?? ""
        return Reason(
            .deviceLimitReached,
            message:
                "This account used the app on \(devices) different devices in the last \(DeviceAllowance.countedDays) days\(next).",
            cure: "Use one of those devices, wait, or ask the vendor.",
            evidence: [
                .init("devices", .number(Int64(devices))), .init("deviceLimit", .number(Int64(limit))),
                .init("deviceChanges", .number(Int64(changes))),
            ], changesAt: until)
    }

    /// The license doesn't exist, or it belongs to another device or account.
    ///
    /// The reason is the same in both cases, so that the response doesn't reveal which licenses exist.
    public static let appLicenseForeign = Reason(.appLicenseUnknown)

    static let appLicenseRevoked = Reason(
        .licenseRevoked, message: "The license for this app has been revoked.",
        cure: "Ask the vendor why. They can grant a new license.")

    static let appLicenseSuspended = Reason(
        .licenseSuspended, message: "The license for this app is suspended.",
        cure: "Ask the vendor to reinstate it, then request a renewal.")

    static let appLicenseReturned = Reason(
        .licenseReturned, message: "The app was released on this device.",
        cure: "Install the app again from the marketplace.")

    /// The license expired longer ago than the rules allow for a renewal.
    static func appRenewalTooLate(end: Timestamp, days: Int) -> Reason {
        Reason(
            .appRenewalTooLate,
            message: "The license expired on \(end), more than \(days) days ago, so it can't be renewed.",
            evidence: [.init("expiredAt", .date(end)), .init("renewAfterExpiryDays", .number(Int64(days)))])
    }

    /// The encrypted part of a request doesn't ask for the app that its envelope names.
    public static func appNotRequested(_ item: AppleItemID) -> Reason {
        Reason(
            .appNotRequested, message: "The sealed request doesn't ask for the app \(item).", evidence: [.app(item)])
    }
}

extension Reason.Evidence {
    static func app(_ item: AppleItemID) -> Reason.Evidence {
        .init("appleItemID", .text(item.description))
    }
}

extension Reason {
    /// The reason with a remedy for the vendor of an app license.
    ///
    /// - Parameter isAccountOpen: Whether the license's account, if it has one, hasn't been deleted.
    func forVendor(explaining license: AppLicense, isAccountOpen: Bool) -> Reason {
        let account = license.account.map(\.shellWord) ?? "ACCOUNT"
        let grant = "tenure account grant \(account) --item \(license.item)"
        let cure =
            switch code {
            case .licenseRevoked where !isAccountOpen && !license.recordedState.isFinal:
                "The account was deleted, but this license wasn't revoked. Complete the deletion with "
                    + "`tenure account delete \(account)`."
            case _ where !isAccountOpen && Self.grantable.contains(code):
                "The account was deleted, so it gets no license. Grant the app to another account of the person."
            case .licenseSuspended:
                "Reinstate it with `tenure license reinstate \(license.id)`. Its device can then renew it."
            case .licenseRevoked where license.account == nil:
                "It can't be restored, and its device gets no other license of the app."
            case .licenseRevoked:
                "It can't be restored. To let the device get a new one, use `\(grant) --again`."
            case .appNotGranted: "Grant the app with `\(grant)`."
            case .appGrantEnded: "Grant the app again with `\(grant)`."
            case .appGrantExpired: "Extend the grant with `\(grant) --until DATE`."
            case .licenseReturned: "It can't be restored. The device gets a new one when the app is installed again."
            case .deviceLimitReached:
                "Free a device with `tenure license return LICENSE`, or raise `deviceLimit` in the catalog, then run "
                    + "`tenure apply`."
            default: forVendor(of: license.id.description).cure
            }
        return Reason(code, message: message, cure: cure, evidence: evidence, changesAt: changesAt)
    }

    /// The reasons that disappear if the app is granted to the account.
    private static let grantable: Set<Reason.Kind> = [
        .licenseRevoked, .appNotGranted, .appGrantEnded, .appGrantExpired,
    ]
}

extension AccountID {
    /// The id as one word of a shell command, in quotation marks if it needs them.
    fileprivate var shellWord: String {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
                UInt8(ascii: "@"), UInt8(ascii: "+"):
                true
            default: false
            }
        }
        guard !isPlain else { return text }
        return "'" + text.unicodeScalars.map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'"
    }
}
