public import TenureCore

/// An app listed by a marketplace.
public struct MarketplaceApp: Sendable, Hashable {
    /// Apple's id of the app.
    public let item: AppleItemID

    /// The bundle id, such as `com.example.game`; `nil` if unknown.
    public var bundleID: String?

    /// The display name; `nil` if none was given.
    public var name: String?

    /// The URL of the app's page for customers; `nil` if there isn't one.
    public var shareURL: String?

    /// The URL below which another server serves the packages; `nil` if this server does.
    public var packageURL: String?

    /// Whether the catalog has taken the app down.
    public var isDelisted: Bool

    /// Where the app may be offered, as reported by App Store Connect.
    public var availability: Availability

    /// Whether the version of a new package is offered at once; otherwise it is held back at first.
    public var autoPublish: Bool

    /// The rules for the duration, renewal and device limit of the app's licenses.
    public var rules: AppLicense.Rules

    /// The app's versions, by Apple's id.
    public var versions: [AppleVersionID: AppVersion]

    /// Creates an app with the catalog's defaults.
    public init(
        item: AppleItemID, bundleID: String? = nil, name: String? = nil, shareURL: String? = nil,
        packageURL: String? = nil, isDelisted: Bool = false, availability: Availability = Availability(),
        autoPublish: Bool = true, rules: AppLicense.Rules = AppLicense.Rules(),
        versions: [AppleVersionID: AppVersion] = [:]
    ) {
        self.item = item
        self.bundleID = bundleID
        self.name = name
        self.shareURL = shareURL
        self.packageURL = packageURL
        self.isDelisted = isDelisted
        self.availability = availability
        self.autoPublish = autoPublish
        self.rules = rules
        self.versions = versions
    }

    /// Whether the app was taken down by the catalog or by App Store Connect.
    ///
    /// While the app is withdrawn, no new licenses are issued. Licenses aren't renewed either if
    /// ``AppLicense/Rules/revokeOnTakedown`` is set.
    public var isWithdrawn: Bool { isDelisted || availability.isWithdrawn }
}

/// A version of an app, as described by its package's manifest.
public struct AppVersion: Sendable, Hashable {
    /// Apple's id of the version.
    public let id: AppleVersionID
    /// The manifest's `shortVersionString`, such as `1.4.2`.
    public var shortVersion: String
    /// The manifest's `bundleVersion`, such as `142`.
    public var bundleVersion: String
    /// The lowest system version for each supported platform; empty if no package of the version has been read.
    public var lowestSystems: [ApplePlatform: SystemVersion]
    /// The download sizes of the smallest and the largest variant, in bytes; `nil` if no package of the version has
    /// been read.
    public var downloadBytes: ClosedRange<Int64>?
    /// Whether the vendor holds the version back, so that it isn't offered.
    public var isHeld: Bool
    /// The package that this server holds and serves; `nil` if it holds none.
    public var package: HeldPackage?
    /// The assets whose key blobs the server has, so that licenses can be written for them.
    public var keyedAssets: Set<AssetID>
    /// Where this version's package may be offered, as reported by App Store Connect.
    public var availability: Availability

    /// Creates a version from its parts.
    public init(
        id: AppleVersionID, shortVersion: String, bundleVersion: String,
        lowestSystems: [ApplePlatform: SystemVersion] = [:], downloadBytes: ClosedRange<Int64>? = nil,
        isHeld: Bool = false, package: HeldPackage? = nil, keyedAssets: Set<AssetID> = [],
        availability: Availability = Availability()
    ) {
        self.id = id
        self.shortVersion = shortVersion
        self.bundleVersion = bundleVersion
        self.lowestSystems = lowestSystems
        self.downloadBytes = downloadBytes
        self.isHeld = isHeld
        self.package = package
        self.keyedAssets = keyedAssets
        self.availability = availability
    }
}

/// The facts about a package that this server stores and serves.
public struct HeldPackage: Sendable, Hashable {
    /// The manifest's `distributionPackageRevision`, which grows when deltas are added; 0 if it's missing.
    public var revision: Int64
    /// App Store Connect's id of the package, in lower case; `nil` if unknown.
    public var id: String?

    /// Creates a value from its parts.
    public init(revision: Int64, id: String? = nil) {
        self.revision = revision
        self.id = id
    }
}
