public import TenureCore

/// A license key that was replaced by another one.
///
/// It still identifies the license, so that its users can learn that it was replaced. Only requests of the devices
/// that the replacement kept succeed with it.
public struct FormerKey: Sendable, Hashable {
    /// The product of the key's license.
    public let product: ProductRef
    /// The stored part of the key.
    public let key: LicenseKey
    /// The license that the key last belonged to.
    public let license: LicenseID
    /// When another key replaced this one.
    public let replacedAt: Timestamp
    /// The party that replaced the key.
    public let replacedBy: Actor
    /// Devices that were activated before this time may continue to use the key; `nil` if none may.
    public internal(set) var activatedBefore: Timestamp?

    /// Creates a former key from a stored record without checking any rule.
    public init(
        product: ProductRef, key: LicenseKey, license: LicenseID, replacedAt: Timestamp, replacedBy: Actor,
        activatedBefore: Timestamp? = nil
    ) {
        self.product = product
        self.key = key
        self.license = license
        self.replacedAt = replacedAt
        self.replacedBy = replacedBy
        self.activatedBefore = activatedBefore
    }

    /// The SHA-256 digest of the key's normal form.
    public var hash: Digest { key.hash }
}

/// The devices that may continue to use a key after it's replaced.
public enum KeptDevices: Sendable, Hashable {
    /// No device, for a key that others have got hold of.
    case none
    /// Every active device, for a key that its holder has lost.
    case active
    /// The active devices that were activated before this time, for a key that was lost then.
    case activatedBefore(Timestamp)

    /// Returns the time before which a device must have been activated to continue with a key that is replaced now;
    /// `nil` if no device may.
    ///
    /// Devices that are activated later have the new key.
    func limit(at now: Timestamp) -> Timestamp? {
        switch self {
        case .none: nil
        case .active: now.adding(seconds: 1)
        case .activatedBefore(let time): min(time, now.adding(seconds: 1))
        }
    }

    /// Whether the device of this activation may continue to use the key, if the key is replaced now.
    package func keep(_ activation: Activation, at now: Timestamp) -> Bool {
        guard activation.isLive, let limit = limit(at: now) else { return false }
        return activation.activatedAt < limit
    }
}

extension FormerKey {
    /// Whether the device of this activation may continue to use the key.
    ///
    /// A device whose release was undone is active again, so it may.
    package func keeps(_ activation: Activation) -> Bool {
        guard activation.license == license, activation.isLive, let activatedBefore else { return false }
        return activation.activatedAt < activatedBefore
    }

    /// Returns this former key after the license's key has been replaced again; `nil` if nothing changes.
    ///
    /// - Parameter limit: Only devices activated before this time may continue to use former keys; `nil` for no device.
    func narrowed(to limit: Timestamp?) -> FormerKey? {
        guard let activatedBefore else { return nil }
        var key = self
        key.activatedBefore = limit.map { min($0, activatedBefore) }
        return key == self ? nil : key
    }

    /// Returns this key, which comes from an old copy of the store, with the device limit of a later state of the
    /// store.
    ///
    /// The result is `nil` if the later state doesn't restrict the key further, or if the key belongs to another
    /// license there.
    package func takingBack(_ later: FormerKey) -> FormerKey? {
        later.license == license ? narrowed(to: later.activatedBefore) : nil
    }
}
