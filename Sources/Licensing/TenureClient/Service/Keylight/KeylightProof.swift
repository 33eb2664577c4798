import TenureCore
package import TenureCrypto
import TenureFormats
package import TenureLicensing

/// Checks that a Keylight lease is genuine and belongs to a license key and an activation.
package struct KeylightProof: Sendable {
    /// A lease that passed the checks.
    package struct Proven: Sendable {
        package let facts: LeaseFacts
        package let bytes: [UInt8]
    }

    private let hashes: [String]
    private let activation: String

    /// Creates the check for a license key and an activation.
    ///
    /// If a key contains look-alike characters (O for 0), the server may have found it under the corrected key. So a
    /// lease for the corrected key is accepted too.
    package init(key: String, activation: String) {
        let typed = LicenseKeyText(key)
        hashes = [typed, typed?.withoutLookAlikes].compactMap { $0 }.map { Hex.encode($0.digest.bytes) }
        self.activation = activation
    }

    /// Verifies a lease, but not its age or its end.
    ///
    /// The format doesn't name a product. Signing keys are per tenant, so a lease of another product would pass if it
    /// had the same license key and instance. No server issues the same pair twice.
    package func check(
        _ lease: KeylightLease.Unverified, trusting keys: [String: Ed25519.PublicKey]
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
