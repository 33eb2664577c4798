public import TenureCore
public import TenureCrypto
public import TenureFormats

/// A lease in Keylight's format, version 3, that was signed here or has been verified.
public struct KeylightLease: Sendable, Hashable {
    /// How far a client's clock may differ before a lease counts as expired, in seconds.
    public static let skewAllowance: Int64 = 300

    /// The id of the signing key.
    public let kid: String

    /// The signed content.
    public let claims: Claims

    /// The Ed25519 signature, 64 bytes.
    public let signature: [UInt8]

    /// Signs a lease with these claims.
    ///
    /// - Throws: `.separator` or `.badMember` if a field would make the signed text ambiguous; nothing is signed then.
    public static func signed(
        _ claims: Claims, kid: String, with key: Ed25519.PrivateKey
    ) throws(FormatError) -> KeylightLease {
        guard !kid.isEmpty else { throw FormatError(.badMember, "a lease needs the kid of its signing key") }
        let input = try claims.signingInput(kid: kid)
        return KeylightLease(kid: kid, claims: claims, signature: key.sign(input))
    }

    /// Whether the lease has expired, with the skew allowance: `now > expiresAt + 300`.
    public func isExpired(at now: Timestamp) -> Bool {
        now > claims.expiresAt.adding(seconds: Self.skewAllowance)
    }

    /// The lease as clients receive it: a JSON object with the claims, the `kid` and the signature.
    public func json() -> [UInt8] {
        JSONWriter.object { write(into: &$0) }
    }

    /// Writes the lease's members into an object.
    public func write(into object: inout JSONObjectWriter) {
        object.member("kid", kid)
        object.member("licenseKeyHash", claims.licenseKeyHash)
        object.member("instanceId", claims.instanceID)
        object.member("issuedAt", claims.issuedAt.seconds)
        object.member("expiresAt", claims.expiresAt.seconds)
        object.member("status", claims.status.rawValue)
        object.member("signature", base64: signature)
        object.member("entitlements", claims.entitlements)
    }
}

extension KeylightLease {
    /// The content of a lease, without its signature.
    public struct Claims: Sendable, Hashable {
        /// The SHA-256 of the license key's normal form, in lower-case hexadecimal.
        public let licenseKeyHash: String

        /// The activation's id; empty in a signed refusal to a device without an activation.
        public let instanceID: String

        /// When the lease was issued, by the server's clock.
        public let issuedAt: Timestamp

        /// When the lease expires, by the server's clock.
        public let expiresAt: Timestamp

        /// What the lease permits.
        public let status: LeaseTerms.Status

        /// The entitlements in the order in which they are sent; the signed text sorts them by their bytes.
        public let entitlements: [String]

        /// Creates claims from their parts; signing validates them.
        public init(
            licenseKeyHash: String, instanceID: String, issuedAt: Timestamp, expiresAt: Timestamp,
            status: LeaseTerms.Status, entitlements: [String]
        ) {
            self.licenseKeyHash = licenseKeyHash
            self.instanceID = instanceID
            self.issuedAt = issuedAt
            self.expiresAt = expiresAt
            self.status = status
            self.entitlements = entitlements
        }

        /// Creates claims from a decision; `activation` is `nil` if the device has none.
        public init(_ terms: LeaseTerms, key: Digest, activation: ActivationID?) {
            self.init(
                licenseKeyHash: Hex.encode(key.bytes), instanceID: activation?.description ?? "",
                issuedAt: terms.issuedAt, expiresAt: terms.expiresAt, status: terms.status,
                entitlements: terms.entitlements.map(\.name))
        }

        /// The bytes to sign: `v3|kid|licenseKeyHash|instanceId|issuedAt|expiresAt|status|entitlements`.
        ///
        /// Entitlements are sorted by their bytes and joined with commas. Without entitlements, the last field is
        /// empty.
        ///
        /// - Throws: `.separator`, or `.badMember` for an empty entitlement.
        public func signingInput(kid: String) throws(FormatError) -> [UInt8] {
            var text = SignedText(version: "v3")
            try text.add(kid, named: "the kid")
            try text.add(licenseKeyHash, named: "the license key's hash")
            try text.add(instanceID, named: "the instance id")
            text.add(issuedAt)
            text.add(expiresAt)
            try text.add(status.rawValue, named: "the status")
            try text.add(sorted: entitlements, named: "entitlements")
            return text.bytes
        }
    }
}
