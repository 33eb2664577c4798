/// The key blob of one variant of an app, as App Store Connect gives it out: bytes that nobody here understands.
public struct AppKey: Sendable, Hashable, CustomStringConvertible {
    /// The app.
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
