/// A SHA-256 digest.
public struct Digest: Sendable, Hashable {
    /// The digest's 32 bytes.
    public let bytes: [UInt8]

    /// Creates a digest; returns `nil` unless there are exactly 32 bytes.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }
}
