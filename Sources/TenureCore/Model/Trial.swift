/// When a device began to try a product. The first start of a device counts and is never replaced.
public struct Trial: Sendable, Hashable {
    /// What is tried.
    public let product: ProductRef

    /// The device, by the 32 bytes of its hash.
    public let device: Digest

    /// When it began.
    public let start: Timestamp

    /// When the server was told.
    public let recordedAt: Timestamp

    /// Puts a trial together. It decides nothing.
    public init(product: ProductRef, device: Digest, start: Timestamp, recordedAt: Timestamp) {
        self.product = product
        self.device = device
        self.start = start
        self.recordedAt = recordedAt
    }
}
