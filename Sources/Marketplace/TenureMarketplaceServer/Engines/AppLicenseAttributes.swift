/// The content of one app license, within the limits that devices accept.
///
/// iOS 17.4 doesn't install an app whose license has an id or a duration of 2^63 - 1 or more. The
/// initializer therefore rejects such values.
struct AppLicenseAttributes: Sendable, Hashable {
    /// The largest id, duration and expiry: 2^63 - 2.
    static let largest = UInt64(Int64.max) - 1

    /// The license's id: 1 to 2^63 - 2.
    let licenseID: UInt64

    /// When the license is issued, in POSIX seconds.
    let issuedTime: UInt64

    /// Seconds from ``issuedTime`` until the license expires; 0 if it never does.
    let duration: UInt64

    /// The licensed apps, with the key blob of one variant each.
    let appKeys: [AppKey]

    /// The apps whose licenses this license revokes; Apple doesn't document when to use it.
    let revokedAppleItemIDs: [UInt64]

    /// Creates a license from its parts.
    ///
    /// - Throws: `.licenseIDOutOfRange`, `.durationOutOfRange` or `.endOutOfRange`; `.appKeyMissing` if the license
    ///   contains neither an app to license nor one to revoke.
    init(
        licenseID: UInt64, issuedTime: UInt64, duration: UInt64, appKeys: [AppKey], revokedAppleItemIDs: [UInt64] = []
    ) throws(EngineError) {
        try Self.check(licenseID: licenseID)
        guard duration <= Self.largest else {
            throw EngineError(
                .durationOutOfRange, "\(duration) s exceeds the maximum that devices support; choose a shorter duration"
            )
        }
        // The time of issue and the duration are below 2^63, so their sum doesn't overflow.
        guard issuedTime <= Self.largest, issuedTime + duration <= Self.largest else {
            throw EngineError(
                .endOutOfRange,
                "a license issued at \(issuedTime) for \(duration) s ends later than devices support; choose a "
                    + "shorter duration"
            )
        }
        guard !appKeys.isEmpty || !revokedAppleItemIDs.isEmpty else {
            throw EngineError(.appKeyMissing, "license \(licenseID) has no app; add an app key to it")
        }
        self.licenseID = licenseID
        self.issuedTime = issuedTime
        self.duration = duration
        self.appKeys = appKeys
        self.revokedAppleItemIDs = revokedAppleItemIDs
    }

    static func check(licenseID: UInt64) throws(EngineError) {
        guard (1...largest).contains(licenseID) else {
            throw EngineError(
                .licenseIDOutOfRange, "devices don't accept the license id \(licenseID); use 1 to 2^63 - 2")
        }
    }
}

extension AppLicenseAttributes {
    /// The key blob of one variant of an app, as issued by App Store Connect; its content is opaque to Tenure.
    struct AppKey: Sendable, Hashable, CustomStringConvertible {
        /// Apple's item id of the app that the blob unlocks.
        let appleItemID: UInt64

        let keyBlob: [UInt8]

        /// Creates a key.
        ///
        /// - Throws: `.appKeyMissing` if the blob is empty.
        init(appleItemID: UInt64, keyBlob: [UInt8]) throws(EngineError) {
            guard !keyBlob.isEmpty else {
                throw EngineError(
                    .appKeyMissing, "the key blob of app \(appleItemID) is empty; ingest its package again")
            }
            self.appleItemID = appleItemID
            self.keyBlob = keyBlob
        }

        /// The app's item id, without its key.
        var description: String { "AppKey(\(appleItemID))" }
    }
}
