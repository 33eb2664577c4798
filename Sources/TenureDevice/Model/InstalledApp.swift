package import TenureCore
package import TenureCrypto
package import TenureFormats

/// An app on a device, and its license.
package struct InstalledApp: Sendable, Hashable {
    /// Apple's number for the app, the same in all its versions.
    package let item: AppleItemID

    /// The installed version.
    package let version: AppleVersionID

    /// The installed variant.
    package let asset: AssetID

    /// The bundle's identifier, when the package told it.
    package let bundleID: String?

    /// Whose it is; the marketplace's name for the person when the app was installed.
    package let account: AccountID?

    /// The license; nil for an app that was copied onto the device without one.
    package var license: HeldLicense?

    /// Since when the marketplace says that the license is not renewed; nil while it does not.
    package var ineligibleSince: Timestamp?

    /// Where an expired license is resolved, as the marketplace last told; nil when it told of no such page.
    package var resolutionURL: String?

    /// The version as people read it.
    package struct VersionTexts: Sendable, Hashable {
        /// `shortVersionString`.
        package let short: String
        /// `bundleVersion`.
        package let bundle: String
    }

    /// The version as people read it; nil where no manifest told it.
    package internal(set) var versions: VersionTexts?

    /// What the person was told that it is called; nil where nobody told.
    package internal(set) var givenName: String?

    /// Whether it is a marketplace itself.
    package internal(set) var isMarketplace = false

    /// Describes an app as it is installed.
    package init(
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

    /// What an alert calls it.
    package var name: String { Self.name(givenName, bundleID, item) }

    /// The given name, else the last part of the bundle's id, else the number.
    static func name(_ given: String?, _ bundleID: String?, _ item: AppleItemID) -> String {
        given ?? bundleID?.split(separator: ".").last.map(String.init) ?? "App \(item)"
    }
}

/// A license that a device has verified, with the bytes it came in.
package struct HeldLicense: Sendable, Hashable {
    /// Names it.
    package let id: UInt64

    /// When it was issued, and from when on it is worth nothing; without an end it never expires.
    package let term: Term

    /// The signed document, which may license other apps too.
    package let document: [UInt8]

    /// Takes one license of a verified document.
    package init(_ license: SimulatedAppLicense.License, from document: [UInt8]) {
        id = license.licenseID
        let issued = Timestamp(seconds: Int64(clamping: license.issuedTime))
        let end = issued.adding(seconds: Int64(clamping: license.duration))
        // A duration of 0 means "never expires" (`spec/apple.md` §1).
        term =
            license.duration == 0 ? .perpetual(from: issued) : Term(start: issued, end: end) ?? .perpetual(from: issued)
        self.document = document
    }

    /// The license of an app in a document that was kept, verified again; nil when it has been changed.
    package init?(document: [UInt8], item: AppleItemID, trusting certificates: some Sequence<X509Certificate>) {
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
    /// The license that is for an app.
    func license(for item: AppleItemID) -> License? {
        licenses.first { license in license.appKeys.contains { $0.appleItemID == item.number } }
    }
}
