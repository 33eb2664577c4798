public import TenureCore

/// A tenant's marketplace, from which devices get apps, licenses and updates (`Documentation/marketplace.md`).
public struct Marketplace: Sendable, Hashable {
    /// Who may request licenses or packages.
    public enum Access: String, Sendable, Hashable, CaseIterable {
        /// Everyone, for every listed app; there are no accounts and no device limits.
        case open
        /// The bearer of an account's token, for the apps granted to that account.
        case token
    }

    /// The display name, which alerts and pages show.
    public var name: String

    /// The host that serves packages and the configuration, such as `market.example`; unique on the server.
    public var domain: String

    /// Apple's id of the marketplace app itself; `nil` if unknown.
    public var appleItemID: AppleItemID?

    /// The bundle id of the marketplace app; `nil` if unknown.
    public var bundleID: String?

    /// The shortest time between two update checks of a device, in hours; Apple requires at least 24.
    public var pollingIntervalHours: Int

    /// Who may request licenses and offers.
    public var access: Access

    /// Who may download packages; everyone by default, because packages are encrypted.
    public var packageAccess: Access

    /// Whether devices receive the address of a page that explains an expired license.
    public var resolutionPage: Bool

    /// The address that customers write to for support; shown on the resolution page if set.
    public var supportEmail: String?

    /// The https URL of the shop's own sign-in page; `nil` if this server checks the customers' passwords.
    public var signInURL: String?

    /// Whether the server signs app licenses outside Apple's module, with RSA PKCS#1 v1.5 and SHA-256.
    ///
    /// By default, Apple's module signs with the imported key.
    public var hasExternalSignature: Bool = false

    /// Further hosts that serve the configuration, such as one for packages; each belongs to this marketplace alone.
    public var aliases: [String] = []

    /// The domain and all its aliases.
    public var hosts: [String] { [domain] + aliases }

    /// The redirect URIs that apps may use after a sign-in, in addition to the system's; compared byte for byte.
    public var redirectURIs: [String] = []

    /// Replacements for individual endpoints, by app, including the marketplace app.
    ///
    /// The keys are the configuration's names, such as `restore` or `license.licenseRenewalURL`. A value is an absolute
    /// https URL or a path on this server.
    public var overrides: [AppleItemID: [String: String]]

    /// The paths that overrides named until recently; see ``FormerPath``.
    public var formerPaths: [FormerPath] = []

    /// The listed apps by Apple's id.
    public var apps: [AppleItemID: MarketplaceApp]

    /// Creates a marketplace with the catalog's defaults.
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
    /// Returns an account's right to an app; the marketplace's own app is granted to every account.
    ///
    /// A customer has to install that app before signing in. If `account` is `nil`, the result is `granted`.
    public func right(of account: AccountRef?, to item: AppleItemID, granted: AppGrant.Right?) -> AppGrant.Right? {
        guard item == appleItemID, let account, let granted else { return granted }
        let start = granted.grant?.grantedAt ?? Timestamp(seconds: 0)
        let grant = AppGrant(
            account: account, item: item, term: .perpetual(from: start), grantedAt: start, endedAt: nil)
        return AppGrant.Right(grant: grant, active: granted.active, recent: granted.recent)
    }

    /// Whether the server has the key of an asset, so that licenses can be written for it.
    public func hasKey(of asset: AssetRef) -> Bool {
        apps[asset.item]?.versions[asset.version]?.keyedAssets.contains(asset.asset) ?? false
    }
}

extension Marketplace {
    /// A path on this server that an override named until recently.
    ///
    /// Devices and caches still have the configuration that named it, so the path keeps working for ``days`` days.
    public struct FormerPath: Sendable, Hashable {
        /// The path on this server, with its leading slash.
        public let path: String
        /// The endpoint's name in the configuration, such as `restore`.
        public let name: String
        /// The first second at which the path no longer works.
        public let until: Timestamp

        /// Creates a value from its parts.
        public init(path: String, name: String, until: Timestamp) {
            self.path = path
            self.name = name
            self.until = until
        }

        /// How many days a path works after an override stopped naming it.
        public static let days = 7
    }
}

extension Marketplace {
    /// Returns the former paths after a change of the overrides: those that still work, and those that `previous`
    /// named.
    public func formerPaths(after previous: Marketplace, at now: Timestamp) -> [FormerPath] {
        let current = Set(paths.map(\.path))
        let until = now.adding(days: FormerPath.days)
        let removedPaths = previous.paths.map { FormerPath(path: $0.path, name: $0.name, until: until) }
        var former: [String: FormerPath] = [:]
        for path in previous.formerPaths.filter({ $0.until > now }) + removedPaths where !current.contains(path.path) {
            former[path.path] = path
        }
        return former.values.sorted { $0.path < $1.path }
    }

    /// The paths on this server that overrides name, with the endpoints' names.
    public var paths: [(path: String, name: String)] {
        overrides.values.flatMap { locations in
            locations.compactMap { name, location in location.hasPrefix("/") ? (location, name) : nil }
        }
    }
}

/// The part of a tenant's configuration that this module adds.
struct TenantMarketplace: TenantPart {
    var marketplace: Marketplace?

    var supportEmail: String? { marketplace?.supportEmail }
}

extension Tenant {
    /// The tenant's app marketplace; `nil` if it has none.
    public var marketplace: Marketplace? {
        get { self[TenantMarketplace.self].marketplace }
        _modify { yield &self[TenantMarketplace.self].marketplace }
    }
}
