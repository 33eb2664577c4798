/// The stable name of a reason, the same on the wire, in the SDK, on the command line and on pages.
///
/// An open set: a client must expect codes that it does not know.
public struct ReasonCode: Sendable, Hashable, CustomStringConvertible {
    /// The name on the wire.
    public let text: String

    /// Names a reason.
    public init(_ text: String) { self.text = text }

    /// The name on the wire.
    public var description: String { text }

    /// No license of this product goes by that key or id.
    public static let licenseUnknown = ReasonCode("license_unknown")
    /// The operator stopped the license, reversibly.
    public static let licenseSuspended = ReasonCode("license_suspended")
    /// The operator stopped the license, finally.
    public static let licenseRevoked = ReasonCode("license_revoked")
    /// The holder gave the license back.
    public static let licenseReturned = ReasonCode("license_returned")
    /// The license's term has ended, and grace with it.
    public static let licenseExpired = ReasonCode("license_expired")
    /// Every seat is taken.
    public static let activationLimitReached = ReasonCode("activation_limit_reached")
    /// This device holds no seat of the license: it was released, or never taken.
    public static let activationReleased = ReasonCode("activation_released")
    /// The activation is another device's: it was copied, or the hardware changed.
    public static let activationOtherDevice = ReasonCode("activation_other_device")
    /// The term has not ended yet.
    public static let termNotOver = ReasonCode("term_not_over")
    /// The license never ends, so there is nothing to renew.
    public static let termPerpetual = ReasonCode("term_perpetual")
    /// The new end is not later than the old one.
    public static let renewalNotLater = ReasonCode("renewal_not_later")
    /// The license names a policy that its product no longer has.
    public static let policyUnknown = ReasonCode("policy_unknown")
    /// Another license of the product has a key with the same normal form.
    public static let keyTaken = ReasonCode("key_taken")
}
