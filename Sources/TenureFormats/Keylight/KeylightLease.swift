public import TenureCore
public import TenureCrypto

/// A lease of Keylight's format, version 3, that is known to be genuine: signed here, or verified.
public struct KeylightLease: Sendable, Hashable {
    /// How far a client's clock may be behind or ahead before a lease counts as ended, in seconds.
    public static let skewAllowance: Int64 = 300

    /// Names the signing key.
    public let kid: String

    /// What it says.
    public let claims: Claims

    /// 64 bytes of Ed25519.
    public let signature: [UInt8]

    /// Signs claims.
    ///
    /// Throws: `.separator` and `.badMember`, when a field would make the signed text ambiguous; nothing is signed.
    public static func signed(
        _ claims: Claims, kid: String, with key: Ed25519.PrivateKey
    ) throws(FormatError) -> KeylightLease {
        guard !kid.isEmpty else { throw FormatError(.badMember, "a lease needs the kid of its key; name the key") }
        let input = try claims.signingInput(kid: kid)
        return KeylightLease(kid: kid, claims: claims, signature: key.sign(input))
    }

    /// Whether the lease has ended at a moment, skew allowed for: `now > expiresAt + 300`.
    public func isExpired(at now: Timestamp) -> Bool {
        now > claims.expiresAt.adding(seconds: Self.skewAllowance)
    }

    /// The lease as a JSON object.
    public func json() -> [UInt8] {
        JSONWriter.object { write(into: &$0) }
    }

    /// Writes the members of the lease into an object.
    public func write(into object: inout JSONObjectWriter) {
        object.member("kid", kid)
        object.member("licenseKeyHash", claims.licenseKeyHash)
        object.member("instanceId", claims.instanceID)
        object.member("issuedAt", claims.issuedAt.seconds)
        object.member("expiresAt", claims.expiresAt.seconds)
        object.member("status", claims.status.rawValue)
        object.member("signature", Base64.encode(signature))
        object.member("entitlements", claims.entitlements)
    }

    init(kid: String, claims: Claims, signature: [UInt8]) {
        self.kid = kid
        self.claims = claims
        self.signature = signature
    }
}

extension KeylightLease {
    /// What a lease says, without the signature that makes it true.
    public struct Claims: Sendable, Hashable {
        /// SHA-256 of the license key's normal form, in lower-case hexadecimal.
        public let licenseKeyHash: String

        /// Names the activation; empty in a signed no to a device that has none.
        public let instanceID: String

        /// When it was given, by the server's clock.
        public let issuedAt: Timestamp

        /// When it ends, by the server's clock.
        public let expiresAt: Timestamp

        /// What it permits.
        public let status: LeaseTerms.Status

        /// What it entitles to, as sent; the signed text has them in the order of their bytes.
        public let entitlements: [String]

        /// Puts the claims together; they are checked when they are signed.
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

        /// Says of one activation what a decision came to; nil for the activation where there is none.
        public init(_ terms: LeaseTerms, key: Digest, activation: ActivationID?) {
            self.init(
                licenseKeyHash: Hex.encode(key.bytes), instanceID: activation?.description ?? "",
                issuedAt: terms.issuedAt, expiresAt: terms.expiresAt, status: terms.status,
                entitlements: terms.entitlements.map(\.name))
        }

        /// The bytes that are signed: `v3|kid|licenseKeyHash|instanceId|issuedAt|expiresAt|status|entitlements`.
        ///
        /// Entitlements ascend by their bytes and are joined with commas; none leave the last field empty
        /// (`spec/keylight.md` §1.2). Throws: `.separator`, `.badMember` for an empty entitlement.
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
