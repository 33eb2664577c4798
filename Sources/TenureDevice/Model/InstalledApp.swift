package import TenureCore

/// An app on a device, and its license.
package struct InstalledApp: Sendable, Hashable {
    /// The app.
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
    package var name: String { bundleID ?? "App \(item)" }
}
