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
