/// What one app license says, within the limits that devices keep to.
///
/// iOS 17.4 does not install an app whose license has an id or a duration of 2^63 - 1 or more (`spec/apple.md` §1), so
/// no such value exists.
public struct AppLicenseAttributes: Sendable, Hashable {
    /// The largest id, duration and end: 2^63 - 2.
    public static let largest = UInt64(Int64.max) - 1

    /// Names the license: 1 to 2^63 - 2.
    public let licenseID: UInt64

    /// When it is issued, in POSIX seconds.
    public let issuedTime: UInt64

    /// Seconds from then to its end; 0 when it never ends.
    public let duration: UInt64

    /// The apps that it is for, with the key of one variant each.
    public let appKeys: [AppKey]

    /// Apps that it takes away; when a license should do so is not documented.
    public let revokedAppleItemIDs: [UInt64]

    /// Describes a license.
    ///
    /// Throws: `.licenseIDOutOfRange`, `.durationOutOfRange`, `.endOutOfRange`, and `.appKeyMissing` when it is for no app
    /// and takes none away.
    public init(
        licenseID: UInt64, issuedTime: UInt64, duration: UInt64, appKeys: [AppKey], revokedAppleItemIDs: [UInt64] = []
    ) throws(EngineError) {
        try Self.check(licenseID: licenseID)
        guard duration <= Self.largest else {
            throw EngineError(
                .durationOutOfRange, "\(duration) s is longer than devices can count; choose a shorter one")
        }
        // Neither is over 2^63, so their sum does not overflow.
        guard issuedTime <= Self.largest, issuedTime + duration <= Self.largest else {
            throw EngineError(
                .endOutOfRange, "a license from \(issuedTime) on for \(duration) s ends later than devices can count")
        }
        guard !appKeys.isEmpty || !revokedAppleItemIDs.isEmpty else {
            throw EngineError(.appKeyMissing, "license \(licenseID) is for no app; give it an app key")
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
                .licenseIDOutOfRange, "\(licenseID) is no license id that devices take; they go from 1 to 2^63 - 2")
        }
    }
}

/// The key blob of one variant of an app, as App Store Connect gives it out: bytes that nobody here understands.
public struct AppKey: Sendable, Hashable, CustomStringConvertible {
    /// Apple's number for the app that the blob opens.
    public let appleItemID: UInt64

    /// The key blob.
    public let keyBlob: [UInt8]

    /// Names an app's key blob.
    ///
    /// Throws: `.appKeyMissing` when it is empty.
    public init(appleItemID: UInt64, keyBlob: [UInt8]) throws(EngineError) {
        guard !keyBlob.isEmpty else {
            throw EngineError(.appKeyMissing, "the key blob of app \(appleItemID) is empty; ingest its package again")
        }
        self.appleItemID = appleItemID
        self.keyBlob = keyBlob
    }

    /// Names the app and nothing of its key.
    public var description: String { "AppKey(\(appleItemID))" }
}
