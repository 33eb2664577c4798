package import TenureLicensing

/// A license server, as seen by the manager, over one of the dialects.
///
/// Each method sends one request and verifies the response against all stored data. The result is a verified success,
/// a verified refusal, or a failed request, which is never treated as a refusal (`Documentation/client.md`). The
/// license's state isn't decided here.
package protocol LicenseService: Sendable {
    /// The protocol of the service; only Tenure's binds each response to its request.
    var dialect: Dialect { get }

    /// The beginning of the hash that identifies this device to the server; `nil` over Keylight, whose server stores no
    /// trials.
    var deviceCode: String? { get }

    /// Activates a license key on this device.
    ///
    /// `name` is the device's name in lists, and `system` its operating system, for Tenure only. `freeTier` is the id
    /// of the free activation that the new activation replaces, for Keylight only.
    func activate(
        key: String, name: String, system: DeviceSystem?, freeTier: String?
    ) async -> Answer<LeaseGrant>

    /// Requests a new lease for an activation.
    ///
    /// `notBefore` is when the newest accepted lease was signed. Over Keylight, an earlier lease is rejected, because
    /// nothing else shows that the response is new. `name` is the device's name in lists, and `system` its operating
    /// system if the server doesn't know it yet, for Tenure only.
    func renew(
        _ activation: HeldActivation, notBefore: Moment?, name: String?, reporting system: DeviceSystem?
    ) async -> Answer<LeaseGrant>

    /// Releases an activation on the server.
    func release(_ activation: HeldActivation) async -> Answer<Released>

    /// Lists the devices on which the license is activated; releases the activation `other` first, if set.
    ///
    /// The server requires a valid lease of this device. Keylight has no such list, so the answer is then `.unknown`.
    func places(of activation: HeldActivation, lease: [UInt8], freeing other: String?) async -> Answer<ActivatedDevices>

    /// Requests the signed start of this device's trial.
    ///
    /// `startedAt` is when a trial began that was started offline. `name` and `system` describe the device in the
    /// vendor's list of trials. Keylight doesn't store trials, so the answer is then `.unknown`.
    func trial(startedAt: Moment?, name: String, system: DeviceSystem?) async -> Answer<TrialStart>

    /// Requests what the vendor allows users without a license.
    func configuration() async -> Answer<ProductTerms>

    /// Verifies the signature, product, key, activation and device of a stored lease, without a request.
    ///
    /// It doesn't check whether the lease has ended.
    ///
    /// - Throws: ``LeaseProblem`` if one of these checks fails.
    func verify(kept bytes: [UInt8], for activation: HeldActivation) throws(LeaseProblem) -> LeaseFacts

    /// The keys that leases are verified with, and the service's other stored state, encoded for
    /// ``trust(keyset:ifUnchangedSince:)``.
    func keyset() -> [UInt8]

    /// Restores a stored keyset; keys that are neither pinned nor signed by a trusted key are skipped.
    ///
    /// Another process may have stored it. So each of its parts is restored only if this service hasn't changed that
    /// part since `earlier`, the keyset that was last read or stored.
    ///
    /// - Returns: The stored keyset as far as it was accepted, for `earlier` of the next call.
    func trust(keyset: [UInt8], ifUnchangedSince earlier: [UInt8]) -> [UInt8]
}

extension LicenseService {
    /// The default for a dialect whose server stores no trials.
    package var deviceCode: String? { nil }

    /// The default for a dialect without a list of devices.
    package func places(
        of activation: HeldActivation, lease: [UInt8], freeing other: String?
    ) async -> Answer<ActivatedDevices> {
        .unknown(RequestFailure(.misconfigured, "With the Keylight API, the server doesn't list devices."))
    }
}

/// A protocol between client and server.
public enum Dialect: String, Sendable, Hashable, Codable {
    /// Tenure's own: every response is signed and bound to its request.
    case tenure = "tenure"
    /// Keylight's API, version 3.
    case keylight = "keylight"
}

/// The result of a request to a license server.
package enum Answer<Value: Sendable>: Sendable {
    /// The server's success response, which has been verified.
    case success(Value)
    /// The server's refusal, which has been verified.
    ///
    /// A refused activation says nothing about the license that is already stored: an unknown key or an exhausted
    /// activation limit never changes the state. A refused renewal does.
    case refused(SignedRefusal)
    /// No response that may change the license's state, for this reason.
    case unknown(RequestFailure)

    /// Whether the server responded, with a success or a refusal.
    var isAnswered: Bool { if case .unknown = self { false } else { true } }
}
