public import TenureCore

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
