import TenureCore
import TenureCrypto
import TenureMarketplace

/// An app on a device, and its license.
struct InstalledApp: Sendable, Hashable {
    /// Apple's number for the app, the same in all its versions.
    let item: AppleItemID

    /// Apple's id of the installed version.
    let version: AppleVersionID

    /// The variant of the package that is installed.
    let asset: AssetID

    /// The bundle id; `nil` if the app was installed without a manifest.
    let bundleID: String?

    /// The marketplace account that installed the app; `nil` if there are no accounts.
    let account: AccountID?

    /// The license; `nil` for an app that was copied to the device without a license.
    var license: HeldLicense?

    /// When the marketplace refused to renew the license; `nil` if it hasn't refused.
    var ineligibleSince: Timestamp?

    /// The page for an expired license, from the last known configuration; `nil` if the marketplace has none.
    var resolutionURL: String?

    /// The two texts of a version in the manifest.
    struct VersionTexts: Sendable, Hashable {
        /// The `shortVersionString` of the manifest, such as `1.2`.
        let short: String
        /// The `bundleVersion` of the manifest, which tells builds apart.
        let bundle: String
    }

    /// The version's texts; `nil` if the app was installed without a manifest.
    var versions: VersionTexts?

    /// The name that the user was shown; `nil` to derive one, see ``name``.
    var givenName: String?

    /// Whether the app is itself a marketplace.
    var isMarketplace = false

    init(
        item: AppleItemID, version: AppleVersionID, asset: AssetID, bundleID: String?, account: AccountID?,
        license: HeldLicense?, resolutionURL: String?
    ) {
        self.item = item
        self.version = version
        self.asset = asset
        self.bundleID = bundleID
        self.account = account
        self.license = license
        self.resolutionURL = resolutionURL
    }

    /// The app's name in alerts.
    var name: String { Self.name(givenName, bundleID, item) }

    /// Returns the given name; if there isn't one, the last part of the bundle id, or else the Apple id.
    static func name(_ given: String?, _ bundleID: String?, _ item: AppleItemID) -> String {
        given ?? bundleID?.split(atByte: ".").last.map(String.init) ?? "App \(item)"
    }
}

/// A license that a device has verified, with the document that contains it.
struct HeldLicense: Sendable, Hashable {
    /// The id by which the marketplace renews the license.
    let id: UInt64

    /// When the license was issued and when it expires, if ever.
    let term: Term

    /// The signed document, which may license other apps too.
    let document: [UInt8]

    /// Creates a license from one entry of a verified document.
    init(_ license: SimulatedAppLicense.License, from document: [UInt8]) {
        id = license.licenseID
        let issued = Timestamp(seconds: Int64(clamping: license.issuedTime))
        let end = issued.adding(seconds: Int64(clamping: license.duration))
        // A duration of 0 means "never expires" (Apple's documentation).
        term =
            license.duration == 0 ? .perpetual(from: issued) : Term(start: issued, end: end) ?? .perpetual(from: issued)
        self.document = document
    }

    /// Verifies a stored document again and reads an app's license; returns `nil` if the document was modified.
    init?(document: [UInt8], item: AppleItemID, trusting certificates: some Sequence<X509Certificate>) {
        guard let unverified = try? UnverifiedSimulatedAppLicense(compact: document) else { return nil }
        for certificate in certificates {
            guard let verified = try? unverified.verify(trusting: certificate) else { continue }
            guard let license = verified.license(for: item) else { return nil }
            self.init(license, from: document)
            return
        }
        return nil
    }
}

extension SimulatedAppLicense {
    /// Returns the license for an app; `nil` if the document has none.
    func license(for item: AppleItemID) -> License? {
        licenses.first { license in license.appKeys.contains { $0.appleItemID == item.number } }
    }
}
