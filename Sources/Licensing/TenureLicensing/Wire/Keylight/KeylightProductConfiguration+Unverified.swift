public import TenureCore
public import TenureCrypto
public import TenureFormats

extension KeylightProductConfiguration {
    /// The members of a response about the trial and the free plan, not verified.
    ///
    /// Absent isn't the same as 0 or false: if the trial length is absent, the app's own default applies; 0 disables
    /// trials.
    public struct Unverified: Sendable, Hashable {
        /// The result of verification.
        public enum Verification: Sendable, Hashable {
            /// Members of the signed set are absent, so there is nothing to verify.
            case unsigned
            /// No trusted key has this `kid`; keys may have been rotated.
            case unknownKid
            /// The signature isn't the trusted key's over this content and product.
            case badSignature
            /// The configuration is genuine, but either not yet valid or already expired, even with the skew allowance.
            case outsideWindow
            /// The configuration is genuine and currently valid.
            case trusted(KeylightProductConfiguration)
        }

        /// How long a trial lasts, in days; `nil` if the response doesn't say.
        public let trialDurationDays: Int64?

        /// Whether there is a free plan; `nil` if the response doesn't say.
        public let freeTierEnabled: Bool?

        private let issuedAt: Int64?
        private let expiresAt: Int64?
        private let kid: String?
        private let signature: [UInt8]?

        /// Reads the members from a response; all may be absent or `null`, and others are ignored.
        ///
        /// - Throws: `.badMember` if a member has the wrong type or the signature isn't base64.
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

        /// Verifies the signature and the validity period for the product that the reader requested.
        ///
        /// An incomplete signed set counts as unsigned. A `kid` that contains a separator counts as a bad signature.
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

        /// Verifies only the signature, for callers with their own rule about time; never returns `.outsideWindow`.
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
}
