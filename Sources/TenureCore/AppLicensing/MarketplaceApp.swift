/// An app that a marketplace offers.
public struct MarketplaceApp: Sendable, Hashable {
    /// Apple's name for it.
    public let item: AppleItemID

    /// Its bundle, such as `com.example.game`.
    public var bundleID: String?

    /// Its name for people; nil when nobody gave one.
    public var name: String?

    /// Its page for people.
    public var shareURL: String?

    /// Where its packages are when this server does not hold them.
    public var packageURL: String?

    /// Whether the catalog has it taken down.
    public var isDelisted: Bool

    /// Where App Store Connect has it offered.
    public var availability: Availability

    /// Whether a package that is brought in is offered at once; else its version is held back at first.
    public var autoPublish: Bool

    /// The rules its licenses are made from.
    public var rules: AppLicenseRules

    /// Its versions.
    public var versions: [AppleVersionID: AppVersion]

    /// Makes an app; what is left out has the catalog's default.
    public init(
        item: AppleItemID, bundleID: String? = nil, name: String? = nil, shareURL: String? = nil,
        packageURL: String? = nil, isDelisted: Bool = false, availability: Availability = Availability(),
        autoPublish: Bool = true, rules: AppLicenseRules = AppLicenseRules(),
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

    /// Whether it was taken down, by the catalog or by App Store Connect: no new licenses, and none renewed where the
    /// rules say so.
    public var isWithdrawn: Bool { isDelisted || availability.isWithdrawn }
}

/// One version of an app, as its package's manifest tells it.
public struct AppVersion: Sendable, Hashable {
    /// Apple's name for it.
    public let id: AppleVersionID
    /// `shortVersionString`, such as `1.4.2`.
    public var shortVersion: String
    /// `bundleVersion`, such as `142`.
    public var bundleVersion: String
    /// The lowest system that it can be installed on, by the kinds of devices that it is made for; empty where no package
    /// has told.
    public var lowestSystems: [ApplePlatform: SystemVersion]
    /// Bytes that a device downloads, in the smallest and in the largest of its variants; nil where no package has told.
    public var downloadBytes: ClosedRange<Int64>?
    /// Whether the vendor holds it back: it is then offered to nobody.
    public var isHeld: Bool
    /// The package that this server holds and serves; nil where it holds none.
    public var package: HeldPackage?
    /// The assets whose key blobs the server has: for these, licenses can be written.
    public var keyedAssets: Set<AssetID>
    /// Where App Store Connect has its package offered.
    public var availability: Availability

    /// Makes a version.
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

/// A package whose files a server holds.
public struct HeldPackage: Sendable, Hashable {
    /// Its `distributionPackageRevision`, which grows when deltas are added; 0 where the package does not tell it.
    public var revision: Int64
    /// What App Store Connect calls it, in small letters; nil where nobody has told.
    public var id: String?

    /// States one.
    public init(revision: Int64, id: String? = nil) {
        self.revision = revision
        self.id = id
    }
}
