public import TenureCore

/// Names a trial: one device's, of one product.
public struct TrialName: Sendable, Hashable {
    /// What is tried.
    public let product: ProductRef
    /// The device, by its hash.
    public let device: Digest

    /// Names a trial.
    public init(product: ProductRef, device: Digest) {
        self.product = product
        self.device = device
    }
}

extension Trial {
    /// Its name.
    public var name: TrialName { TrialName(product: product, device: device) }
}
