public import TenureCore

/// Names the app licenses and rights that a decision needs to see, all of one tenant.
public struct AppKeys: Sendable, Hashable {
    /// Whose marketplace.
    public var tenant: TenantID

    /// Licenses named by their ids, as a renewal or an operator names them.
    public var licenses: [LicenseID]

    /// The device whose earlier licenses of ``items`` are needed, in every state; with ``account`` alone or without one.
    public var device: Digest?

    /// The account whose rights to ``items`` are needed; nil at an open marketplace.
    public var account: AccountID?

    /// The apps asked about. Rights to the apps of ``licenses`` are loaded too, each for the license's own account.
    public var items: [AppleItemID]

    /// The moment at which devices are counted; see ``TenureCore/AppLicense/takesPlace(at:)``.
    public var now: Timestamp

    /// Names what is needed.
    public init(
        tenant: TenantID, licenses: [LicenseID] = [], device: Digest? = nil, account: AccountID? = nil,
        items: [AppleItemID] = [], now: Timestamp
    ) {
        self.tenant = tenant
        self.licenses = licenses
        self.device = device
        self.account = account
        self.items = items
        self.now = now
    }
}

/// What an engine loaded of app licenses; nobody else changes any of it before the transaction ends.
public struct LoadedApps: Sendable, Hashable {
    /// The licenses that were named, those that exist.
    public var licenses: [LicenseID: AppLicense]

    /// The licenses that the device got for these apps and this account (or none), oldest first.
    public var earlier: [AppleItemID: [AppLicense]]

    /// The rights of accounts to apps, with the devices that hold a license now: at most
    /// ``TenureCore/AppLicenseRules/highestDeviceLimit`` + 1 of them.
    public var rights: [AppRightRef: AppRight]

    /// Puts it together.
    public init(
        licenses: [LicenseID: AppLicense] = [:], earlier: [AppleItemID: [AppLicense]] = [:],
        rights: [AppRightRef: AppRight] = [:]
    ) {
        self.licenses = licenses
        self.earlier = earlier
        self.rights = rights
    }
}

/// Names the right of an account to an app, within a tenant.
public struct AppRightRef: Sendable, Hashable, Comparable {
    /// Whose.
    public let account: AccountID
    /// To what.
    public let item: AppleItemID

    /// Names a right.
    public init(account: AccountID, item: AppleItemID) {
        self.account = account
        self.item = item
    }

    /// Orders by account, then app.
    public static func < (one: AppRightRef, other: AppRightRef) -> Bool {
        (one.account, one.item) < (other.account, other.item)
    }
}
