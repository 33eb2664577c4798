public import TenureCore
import TenureFormats

/// A license key as somebody typed it, ready to be looked up: never the text itself.
public struct PresentedKey: Sendable, Hashable {
    /// The hash of its normal form.
    public let hash: Digest

    /// The hash with look-alikes read as the characters they resemble; nil when the text has not the shape of a minted
    /// key, or has no look-alike in it. Tried only when the first finds nothing (design §6).
    public let lookAlikeHash: Digest?

    /// Takes what was typed; nil when it is nothing but white space.
    public init?(_ typed: String) {
        guard let text = LicenseKeyText(typed) else { return nil }
        hash = text.digest
        lookAlikeHash = text.withoutLookAlikes?.digest
    }
}
