/// A license server as the manager talks to it, over one dialect.
///
/// Nothing here decides about a state. Each call sends one request, verifies what comes back against everything the
/// client knows, and says whether it was a yes, a verified no, or nothing that may change a state (design §5, "Unknown
/// is not no").
package protocol LicenseService: Sendable {
    /// Which dialect it speaks.
    var dialect: Dialect { get }

    /// Bonds a license key to this device.
    func activate(key: String, name: String, freeTier: String?) async -> Answer<LeaseGrant>

    /// Asks for a new lease for an activation.
    ///
    /// A lease that is older than the newest one the client has accepted (`notBefore`) is not believed.
    func renew(_ activation: HeldActivation, notBefore: Moment?) async -> Answer<LeaseGrant>

    /// Ends an activation.
    func release(_ activation: HeldActivation) async -> Answer<Released>

    /// Lists the devices on which the license is activated, and first releases one of them if it is named. Only a device with a
    /// lease that holds may ask, and only a dialect that has such a list answers.
    func places(of activation: HeldActivation, lease: [UInt8], freeing other: String?) async -> Answer<HeldPlaces>

    /// Asks for the signed start of this device's trial, and tells when it began offline if it did; over Keylight, which
    /// keeps none, `.unknown`.
    func trial(startedAt: Moment?) async -> Answer<TrialStart>

    /// Asks what the vendor allows people without a license.
    func configuration() async -> Answer<ProductTerms>

    /// Verifies the bytes of a lease that was kept, without asking anybody: signature, product, key, activation,
    /// device. Whether it has lapsed is not looked at.
    ///
    /// Throws ``LeaseProblem``.
    func verify(kept bytes: [UInt8], for activation: HeldActivation) throws(LeaseProblem) -> LeaseFacts

    /// The keys that leases are verified with now, to keep across launches; what ``trust(keyset:)`` reads.
    func keyset() -> [UInt8]

    /// Takes back the keys that were kept; keys that are neither pinned nor vouched for are left out.
    func trust(keyset: [UInt8])
}

extension LicenseService {
    /// Keylight has no such list.
    package func places(
        of activation: HeldActivation, lease: [UInt8], freeing other: String?
    ) async -> Answer<HeldPlaces> {
        .unknown(Unreached(.misconfigured, "Over Keylight the server lists no devices."))
    }
}

/// A protocol that the client speaks.
public enum Dialect: String, Sendable, Hashable, Codable {
    /// Tenure's own: every answer is signed and bound to its request.
    case tenure
    /// Keylight's, version 3.
    case keylight
}

/// What a server's answer comes to.
package enum Answer<Value: Sendable>: Sendable {
    /// It said yes, and it is verified.
    case yes(Value)
    /// It said no, and the no is verified.
    ///
    /// A no to an activation refuses that activation and says nothing about a license that is held already: that no place is
    /// free, or that the key is unknown, never changes a state. A no to a renewal does.
    case no(VerifiedNo)
    /// Nothing came that may change a state.
    case unknown(Unreached)
}
