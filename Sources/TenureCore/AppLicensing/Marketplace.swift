/// A tenant's marketplace: where devices get apps, licenses and updates (`Documentation/marketplace.md`).
public struct Marketplace: Sendable, Hashable {
    /// Who may ask for licenses.
    public enum Access: String, Sendable, Hashable, CaseIterable {
        /// Everyone, for every listed app; there are no accounts, and device limits are not counted.
        case open
        /// The bearer of an account's token, for the apps granted to the account.
        case token
    }

    /// Its name for people.
    public var name: String

    /// The host that its packages and its configuration are served from, such as `market.example`; unique on the server.
    public var domain: String

    /// The marketplace app itself.
    public var appleItemID: AppleItemID?

    /// The bundle of the marketplace app.
    public var bundleID: String?

    /// The shortest time between two looks for updates, in hours (Apple's floor is 24).
    public var pollingIntervalHours: Int

    /// Who may ask.
    public var access: Access

    /// Who may fetch packages: by default everyone, for their bytes are encrypted.
    public var packageAccess: Access

    /// Whether devices are told of a page that explains an expired license.
    public var resolutionPage: Bool

    /// Where people write for help; shown on the resolution page when it is there.
    public var supportEmail: String?

    /// Where people sign in whose accounts are the shop's own: an https URL. Nil where this server knows their passwords.
    public var signInURL: String?

    /// Other hosts where devices ask for the configuration, such as that of packages; each is this marketplace's alone.
    public var aliases: [String] = []

    /// The domain and its aliases.
    public var hosts: [String] { [domain] + aliases }

    /// Where else than to the system an app may have a person sent back after signing in: compared byte for byte.
    public var redirectURIs: [String] = []

    /// Endpoints that apps, the marketplace app among them, have to themselves: by the configuration's names such as
    /// `restore` or `license.licenseRenewalURL` an absolute https URL, or a path on this server.
    public var overrides: [AppleItemID: [String: String]]

    /// Its apps.
    public var apps: [AppleItemID: MarketplaceApp]

    /// Makes a marketplace; what is left out has the catalog's default.
    public init(
        name: String, domain: String, appleItemID: AppleItemID? = nil, bundleID: String? = nil,
        pollingIntervalHours: Int = 24, access: Access = .open, packageAccess: Access = .open,
        resolutionPage: Bool = true,
        supportEmail: String? = nil, overrides: [AppleItemID: [String: String]] = [:],
        apps: [AppleItemID: MarketplaceApp] = [:]
    ) {
        self.name = name
        self.domain = domain
        self.appleItemID = appleItemID
        self.bundleID = bundleID
        self.pollingIntervalHours = pollingIntervalHours
        self.access = access
        self.packageAccess = packageAccess
        self.resolutionPage = resolutionPage
        self.supportEmail = supportEmail
        self.overrides = overrides
        self.apps = apps
    }
}

extension Marketplace {
    /// The right that an account has to an app, beyond what it was granted: the marketplace's own app is everybody's, for
    /// nobody signs in before having it. Nil without an account.
    public func right(of account: AccountRef?, to item: AppleItemID, granted: AppRight?) -> AppRight? {
        guard item == appleItemID, let account, let granted else { return granted }
        let start = granted.grant?.grantedAt ?? Timestamp(seconds: 0)
        let grant = AppGrant(
            account: account, item: item, term: .perpetual(from: start), grantedAt: start, endedAt: nil)
        return AppRight(grant: grant, holders: granted.holders, lately: granted.lately)
    }

    /// Whether the server has the key of an asset, so that licenses can be written for it.
    public func hasKey(of asset: AssetRef) -> Bool {
        apps[asset.item]?.versions[asset.version]?.keyedAssets.contains(asset.asset) ?? false
    }
}
