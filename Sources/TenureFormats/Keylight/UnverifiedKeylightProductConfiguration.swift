public import TenureCore
public import TenureCrypto

/// What an answer says about trial and free tier, before anybody has checked it.
///
/// Absent and 0 or false are different things: an absent trial length leaves the app's own in force, 0 switches trials
/// off (`spec/keylight.md` §1.2).
public struct UnverifiedKeylightProductConfiguration: Sendable, Hashable {
    /// What verification found.
    public enum Verification: Sendable, Hashable {
        /// Members of the signed set are absent, so there is nothing to verify.
        case unsigned
        /// No trusted key has that name; keys may have been rotated.
        case unknownKid
        /// The key is known and did not sign this, for this product.
        case badSignature
        /// It is genuine, but its time is yet to come or over, skew allowed for.
        case outsideWindow
        /// It is genuine and in force.
        case trusted(KeylightProductConfiguration)
    }

    /// How long a trial lasts, in days; nil when the answer does not say.
    public let trialDurationDays: Int64?

    /// Whether there is a free plan; nil when the answer does not say.
    public let freeTierEnabled: Bool?

    private let issuedAt: Int64?
    private let expiresAt: Int64?
    private let kid: String?
    private let signature: [UInt8]?

    /// Reads the members from an answer; all may be absent or null, and others are ignored.
    ///
    /// Throws: `.badMember` for a member of the wrong type.
    public init(_ object: FlatObject) throws(FormatError) {
        trialDurationDays = try object.optional("trial_duration_days", object.integer("trial_duration_days"))
        freeTierEnabled = try object.optional("free_tier_enabled", object.boolean("free_tier_enabled"))
        issuedAt = try object.optional("issued_at", object.integer("issued_at"))
        expiresAt = try object.optional("expires_at", object.integer("expires_at"))
        kid = try object.optional("kid", object.string("kid"))
        signature =
            try object.optional("signature", object.string("signature")) == nil
            ? nil : try object.requireBase64("signature")
    }

    /// Checks signature and window for the product that the reader asked about.
    ///
    /// A part of the signed set is no signature at all, and so is a kid that cannot stand in a signed text.
    public func verify(
        for product: ProductRef, trusting keys: [String: Ed25519.PublicKey], now: Timestamp
    ) -> Verification {
        let verification = verifyAuthor(for: product, trusting: keys)
        guard case .trusted(let configuration) = verification else { return verification }
        let (claims, skew) = (configuration.claims, KeylightLease.skewAllowance)
        guard now >= claims.issuedAt.adding(seconds: -skew), now <= claims.expiresAt.adding(seconds: skew) else {
            return .outsideWindow
        }
        return verification
    }

    /// Checks the signature alone, for a reader with a rule of its own about time; never answers `.outsideWindow`.
    public func verifyAuthor(
        for product: ProductRef, trusting keys: [String: Ed25519.PublicKey]
    ) -> Verification {
        guard let trialDurationDays, let freeTierEnabled, let issuedAt, let expiresAt, let kid, let signature else {
            return .unsigned
        }
        let claims = KeylightProductConfiguration.Claims(
            product: product, trialDurationDays: trialDurationDays, freeTierEnabled: freeTierEnabled,
            issuedAt: Timestamp(seconds: issuedAt), expiresAt: Timestamp(seconds: expiresAt))
        guard let key = keys[kid] else { return .unknownKid }
        guard let input = try? claims.signingInput(kid: kid), key.isValidSignature(signature, for: input) else {
            return .badSignature
        }
        return .trusted(KeylightProductConfiguration(kid: kid, claims: claims, signature: signature))
    }
}
