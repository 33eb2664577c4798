/// The 32 bytes of a SHA-256 digest.
public struct Digest: Sendable, Hashable {
    /// All 32 of them, in the order they are written in.
    public let bytes: [UInt8]

    /// Refuses any other length.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }
}
