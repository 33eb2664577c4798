import TenureClient

/// What the vendor builds into the app.
enum Licensing {
    /// How many notes the free plan has.
    static let freeNotes = 3
    /// What iOS wakes the app for, as `Info.plist` names it.
    static let refresh = "example.notes.license"

    /// The app's one manager, or why there can be none: the settings are wrong, or the device was not unlocked yet.
    @MainActor
    static func manager() -> Result<LicenseManager, LicenseError> {
        var configuration = LicenseConfiguration(
            server: "https://licenses.example", tenant: "acme", product: "notes")
        configuration.signingKeys = ["k1": "ebVWLo/mVPlAeLES6KmLp5AfhTrmlb7X4OORC60ElmQ="]
        configuration.trialDays = 14
        return Result { () throws(LicenseError) in try LicenseManager(configuration) }
    }
}
