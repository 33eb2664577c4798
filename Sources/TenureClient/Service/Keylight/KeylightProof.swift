import TenureCore
package import TenureCrypto
package import TenureFormats

/// Compares a lease of Keylight's format with everything the client knows.
package struct KeylightProof: Sendable {
    /// A lease that is genuine, and for this activation.
    package struct Proven: Sendable {
        package let facts: LeaseFacts
        package let bytes: [UInt8]
    }

    private let hashes: [String]
    private let activation: String

    /// Expects a lease of a license key for an activation.
    ///
    /// A key with look-alikes (O for 0) was perhaps found under the key that it resembles, so that one is expected too.
    package init(key: String, activation: String) {
        let typed = LicenseKeyText(key)
        hashes = [typed, typed?.withoutLookAlikes].compactMap { $0 }.map { Hex.encode($0.digest.bytes) }
        self.activation = activation
    }

    /// Verifies a lease. Its end is not looked at, nor its age.
    ///
    /// The format names no product: keys are per tenant, so a lease of another product passes if it has the same license key
    /// and instance, which no server gives out twice.
    package func check(
        _ lease: UnverifiedKeylightLease, trusting keys: [String: Ed25519.PublicKey]
    ) throws(LeaseProblem) -> Proven {
        let verification = lease.verify(trusting: keys, now: Timestamp(seconds: 0))
        guard let lease = verification.lease else { throw verification.kidKnown ? .badSignature : .unknownKey }
        guard hashes.contains(lease.claims.licenseKeyHash) else { throw .otherLicense }
        guard lease.claims.instanceID == activation else { throw .otherActivation }
        return Proven(facts: LeaseFacts(lease.claims), bytes: lease.json())
    }
}

extension LeaseFacts {
    fileprivate init(_ claims: KeylightLease.Claims) {
        let status: Status =
            switch claims.status {
            case .active: .active
            case .fallback: .fallback
            case .expired: .expired
            }
        self.init(
            status: status, keyHash: claims.licenseKeyHash, activation: claims.instanceID,
            issuedAt: Moment(claims.issuedAt), expiresAt: Moment(claims.expiresAt),
            entitlements: status == .active ? claims.entitlements.map { Grant($0) } : [])
    }
}
