public import TenureCore
public import TenureCrypto
public import TenureFormats

/// What a vendor allows users without a license: Keylight's signed `cfg1`, signed here or verified.
public struct KeylightProductConfiguration: Sendable, Hashable {
    /// The content of a configuration, without its signature.
    public struct Claims: Sendable, Hashable {
        /// The product; it comes from the reader's own settings, never from the document.
        public let product: ProductRef

        /// How long a trial lasts, in days; 0 switches trials off.
        public let trialDurationDays: Int64

        /// Whether there is a free plan.
        public let freeTierEnabled: Bool

        /// The first second at which the configuration is valid.
        public let issuedAt: Timestamp

        /// The last second at which the configuration is valid.
        public let expiresAt: Timestamp

        /// Creates claims with these values, which aren't checked.
        public init(
            product: ProductRef, trialDurationDays: Int64, freeTierEnabled: Bool, issuedAt: Timestamp,
            expiresAt: Timestamp
        ) {
            self.product = product
            self.trialDurationDays = trialDurationDays
            self.freeTierEnabled = freeTierEnabled
            self.issuedAt = issuedAt
            self.expiresAt = expiresAt
        }

        /// The bytes to sign: `cfg1|kid|tenant|product|issued_at|expires_at|trial_duration_days|true or false`.
        ///
        /// - Throws: `.separator` if the `kid` contains a separator; ids of tenants and products can't contain any.
        public func signingInput(kid: String) throws(FormatError) -> [UInt8] {
            var text = SignedText(version: "cfg1")
            try text.add(kid, named: "the kid")
            try text.add(product.tenant.text, named: "the tenant")
            try text.add(product.product.text, named: "the product")
            text.add(issuedAt)
            text.add(expiresAt)
            text.add(trialDurationDays)
            text.add(freeTierEnabled)
            return text.bytes
        }
    }

    /// The id of the signing key.
    public let kid: String

    /// The signed content.
    public let claims: Claims

    /// The Ed25519 signature, 64 bytes.
    public let signature: [UInt8]

    /// Signs a configuration with these claims.
    ///
    /// - Throws: `.separator` or `.badMember` if the `kid` is invalid or empty.
    public static func signed(
        _ claims: Claims, kid: String, with key: Ed25519.PrivateKey
    ) throws(FormatError) -> KeylightProductConfiguration {
        guard !kid.isEmpty else {
            throw FormatError(.badMember, "a configuration needs the kid of its signing key")
        }
        let signature = key.sign(try claims.signingInput(kid: kid))
        return KeylightProductConfiguration(kid: kid, claims: claims, signature: signature)
    }

    /// Writes the configuration's six members into a response object, which may have others.
    public func write(into object: inout JSONObjectWriter) {
        object.member("trial_duration_days", claims.trialDurationDays)
        object.member("free_tier_enabled", claims.freeTierEnabled)
        object.member("issued_at", claims.issuedAt.seconds)
        object.member("expires_at", claims.expiresAt.seconds)
        object.member("kid", kid)
        object.member("signature", base64: signature)
    }
}
