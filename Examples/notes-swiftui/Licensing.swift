import TenureClient

/// The settings that the vendor builds into the app.
enum Licensing {
    /// The number of notes in the free plan.
    static let freeNotes = 3
    /// The background task for which iOS wakes the app, as declared in `Info.plist`.
    static let refresh = "example.notes.license"

    /// Creates the app's only manager. It fails if the settings are invalid or the device hasn't been unlocked yet.
    @MainActor
    static func manager() -> Result<LicenseManager, LicenseError> {
        var configuration = LicenseConfiguration(
            server: "https://licenses.example", tenant: "acme", product: "notes")
        configuration.signingKeys = ["k1-q7d2": "ebVWLo/mVPlAeLES6KmLp5AfhTrmlb7X4OORC60ElmQ="]
        configuration.trialDays = 14
        return Result { () throws(LicenseError) in try LicenseManager(configuration) }
    }
}
