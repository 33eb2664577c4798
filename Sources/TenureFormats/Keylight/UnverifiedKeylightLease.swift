public import TenureCore
public import TenureCrypto

/// A lease as it arrived: well-formed, and nothing more. Only ``verify(trusting:now:)`` makes a ``KeylightLease`` of it.
public struct UnverifiedKeylightLease: Sendable, Hashable {
    /// What verification found.
    public struct Verification: Sendable, Hashable {
        /// Whether the lease names a key that is trusted. An unknown one may only mean that keys were rotated.
        public let kidKnown: Bool

        /// Whether that key signed exactly these fields; false when the key is unknown.
        public let signatureValid: Bool

        /// Whether the lease has ended, skew allowed for; says nothing of a lease that is not trusted.
        public let expired: Bool

        /// The lease, when it is genuine: its key is known and its signature valid. It may have ended all the same.
        public let lease: KeylightLease?
    }

    private let kid: String
    private let claims: KeylightLease.Claims
    private let signature: [UInt8]
    private let signingInput: [UInt8]

    /// Reads a lease's JSON; unknown members are ignored.
    ///
    /// Throws: `.malformed`, `.badMember`, and `.separator` for a lease whose signed text could be read in two ways.
    public init(json: [UInt8]) throws(FormatError) {
        try self.init(FlatObject(document: json, named: "lease"))
    }

    /// Reads a lease that stands in a larger document.
    ///
    /// Throws: as ``init(json:)``.
    public init(_ object: FlatObject) throws(FormatError) {
        kid = try object.require("kid", object.string("kid"))
        let status = try object.require("status", object.string("status"))
        guard let status = LeaseTerms.Status(rawValue: status) else {
            throw FormatError(
                .badMember, "a lease's status is active, fallback or expired; a newer client may know more")
        }
        claims = KeylightLease.Claims(
            licenseKeyHash: try object.require("licenseKeyHash", object.string("licenseKeyHash")),
            instanceID: try object.require("instanceId", object.string("instanceId")),
            issuedAt: Timestamp(seconds: try object.require("issuedAt", object.integer("issuedAt"))),
            expiresAt: Timestamp(seconds: try object.require("expiresAt", object.integer("expiresAt"))),
            status: status, entitlements: try object.require("entitlements", object.strings("entitlements")))
        signature = try object.requireBase64("signature")
        signingInput = try claims.signingInput(kid: kid)
    }

    /// Checks the signature against the trusted keys, by `kid`, and the end against a clock.
    public func verify(trusting keys: [String: Ed25519.PublicKey], now: Timestamp) -> Verification {
        let key = keys[kid]
        let valid = key?.isValidSignature(signature, for: signingInput) ?? false
        let lease = KeylightLease(kid: kid, claims: claims, signature: signature)
        return Verification(
            kidKnown: key != nil, signatureValid: valid, expired: lease.isExpired(at: now), lease: valid ? lease : nil)
    }
}
