import TenureCore
import TenureFormats

/// What every request of the Tenure dialect says, and its answer has to say too.
struct LeaseAsk {
    let product: ProductRef
    let nonce: StatementNonce
    var key: PresentedKey?
    var device: DeviceHash?
    var activation: ActivationID?

    /// How the store knows the device.
    var identity: DeviceIdentity { device.map { .machine($0.text) } ?? .anonymous }

    /// The envelope of an answer that is signed now.
    func envelope(from now: Timestamp, until end: Timestamp) -> StatementEnvelope {
        StatementEnvelope(
            product: product, nonce: nonce, issuedAt: now, expiresAt: end, keyHash: key?.hash, device: device,
            activation: activation)
    }
}

extension LeaseAsk {
    /// A lease for an activation, or an expired one for a device without a place.
    func lease(_ terms: LeaseTerms, of license: License, to activation: ActivationID?) -> TenureLease {
        var ask = self
        ask.activation = activation
        return TenureLease(
            ask.envelope(from: terms.issuedAt, until: terms.expiresAt), license: license.id, policy: license.policy,
            term: license.term, status: terms.status, entitlements: terms.entitlements.map { .init($0) })
    }

    func refusal(_ refusal: Refusal, at now: Timestamp) -> TenureRefusal {
        TenureRefusal(envelope(from: now, until: now.adding(seconds: TenureRefusal.lifetime)), refusal)
    }
}
