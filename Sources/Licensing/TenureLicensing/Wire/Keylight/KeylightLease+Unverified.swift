public import TenureCore
public import TenureCrypto
public import TenureFormats

extension KeylightLease {
    /// A lease as received: well-formed, but not verified.
    ///
    /// Only ``verify(trusting:now:)`` turns it into a ``KeylightLease``.
    public struct Unverified: Sendable, Hashable {
        /// The result of verification.
        public struct Verification: Sendable, Hashable {
            /// Whether the lease names a trusted key.
            ///
            /// If it doesn't, the keys may simply have been rotated.
            public let kidKnown: Bool

            /// Whether that key signed exactly these fields; false if the key is unknown.
            public let signatureValid: Bool

            /// Whether the lease has expired, with the skew allowance.
            ///
            /// Meaningless if the lease isn't genuine.
            public let expired: Bool

            /// The lease, if its key is known and its signature is valid; it may have expired.
            public let lease: KeylightLease?
        }

        private let kid: String
        private let claims: KeylightLease.Claims
        private let signature: [UInt8]
        private let signingInput: [UInt8]

        /// Reads a lease's JSON; unknown fields are ignored.
        ///
        /// - Throws: `.malformed`, `.badMember`, and `.separator` if the signed text would be ambiguous.
        public init(json: [UInt8]) throws(FormatError) {
            try self.init(FlatObject(document: json, named: "lease"))
        }

        /// Reads a lease that is part of a larger document.
        ///
        /// - Throws: The errors of ``init(json:)``.
        public init(_ object: FlatObject) throws(FormatError) {
            kid = try object.require("kid", object.string("kid"))
            let status = try object.require("status", object.string("status"))
            guard let status = LeaseTerms.Status(rawValue: status) else {
                throw FormatError(
                    .badMember,
                    "the status of a lease must be active, fallback or expired; a newer client may support others")
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

        /// Checks the signature against the trusted keys, by `kid`, and the expiry against a clock.
        public func verify(trusting keys: [String: Ed25519.PublicKey], now: Timestamp) -> Verification {
            let key = keys[kid]
            let valid = key?.isValidSignature(signature, for: signingInput) ?? false
            let lease = KeylightLease(kid: kid, claims: claims, signature: signature)
            return Verification(
                kidKnown: key != nil, signatureValid: valid, expired: lease.isExpired(at: now),
                lease: valid ? lease : nil)
        }
    }
}
