package import TenureCore
package import TenureCrypto
import TenureFormats
import TenureHTTP
package import TenureHTTPClient
package import TenureLicensing

/// A client of the Tenure dialect, in which every response is signed and bound to its request.
///
/// See `Documentation/leases.md`.
package struct TenureService: LicenseService {
    package let dialect = Dialect.tenure
    package var deviceCode: String? { requests.device.code }

    let requests: TenureRequests
    let exchange: Exchange
    let keys: VouchedKeys
    let source: KeySource

    /// Creates a client for one product and device.
    ///
    /// `now` is only used for a `Retry-After` date in a response without a `Date`.
    package init(
        _ requests: TenureRequests, over transport: any HTTPTransport, pinned: [String: Ed25519.PublicKey],
        trust: KeyTrust = .pinned, now: @escaping @Sendable () -> Timestamp
    ) {
        self.requests = requests
        exchange = Exchange(transport, now: now)
        keys = VouchedKeys(product: requests.address.product, pinned: pinned, trust: trust)
        source = KeySource(requests.address, sdkKey: requests.sdkKey, over: exchange, into: keys)
    }

    package func activate(
        key: String, name: String, system: DeviceSystem?, freeTier: String?
    ) async -> Answer<LeaseGrant> {
        guard let hash = LicenseKeyText(key)?.digest else {
            return .refused(
                SignedRefusal(reasons: [
                    ToldReason(code: "license_unknown", message: "The license key is empty or too long.")
                ]))
        }
        let request = requests.activate(key: key, name: name, system: system)
        let answer = await grant(request, bindings(request, keyHash: hash))
        // A refusal with a fallback lease activates this device in the reduced mode. Any other lease isn't stored,
        // because this device has no activation for it.
        guard case .refused(let refusal) = answer else { return answer }
        guard let lease = refusal.lease, lease.facts.status == .fallback, let time = refusal.serverTime else {
            return .refused(SignedRefusal(reasons: refusal.reasons, serverTime: refusal.serverTime))
        }
        return .success(LeaseGrant(facts: lease.facts, bytes: lease.bytes, serverTime: time))
    }

    package func renew(
        _ activation: HeldActivation, notBefore: Moment?, name: String?, reporting system: DeviceSystem?
    ) async -> Answer<LeaseGrant> {
        let request = requests.renew(activation, name: name, reporting: system)
        // The nonce shows that the response is new. Its time may be earlier than that of the newest lease, if the
        // server's clock was ahead then.
        guard let bindings = bindings(request, activation) else { return .unknown(Self.notOurs) }
        return await grant(request, bindings)
    }

    package func release(_ activation: HeldActivation) async -> Answer<Released> {
        let request = requests.release(activation)
        guard let bindings = bindings(request, activation) else { return .unknown(Self.notOurs) }
        return await send(request, "release", bindings) { (release: TenureRelease, _) in
            Released(serverTime: Moment(release.envelope.issuedAt))
        }
    }

    package func trial(startedAt: Moment?, name: String, system: DeviceSystem?) async -> Answer<TrialStart> {
        let request = requests.trial(startedAt: startedAt, name: name, system: system)
        return await send(request, "trial", bindings(request)) { (trial: TenureTrial, _) in
            TrialStart(
                start: Moment(trial.start), days: trial.days, serverTime: Moment(trial.envelope.issuedAt))
        }
    }

    package func configuration() async -> Answer<ProductTerms> {
        let request = requests.product()
        var bindings = bindings(request)
        bindings.device = nil
        return await send(request, "product", bindings) { (terms: TenureProductTerms, _) in
            ProductTerms(
                trialDays: terms.trialDays, freeTier: terms.freeTier, signedAt: Moment(terms.envelope.issuedAt))
        }
    }

    package func verify(kept bytes: [UInt8], for activation: HeldActivation) throws(LeaseProblem) -> LeaseFacts {
        guard let hash = LicenseKeyText(activation.key)?.digest, let id = ActivationID(text: activation.activation)
        else { throw .otherActivation }
        let bindings = StatementBindings(
            product: requests.address.product, keyHash: hash, device: requests.device, activation: id,
            occasion: .record)
        do throws(FormatError) {
            return LeaseFacts(try UnverifiedTenureLease(compact: bytes).verify(bindings, trusting: keys.trusted))
        } catch {
            throw LeaseProblem(error)
        }
    }

    package func keyset() -> [UInt8] { keys.encoded() }

    package func trust(keyset: [UInt8], ifUnchangedSince earlier: [UInt8]) -> [UInt8] {
        keys.restore(keyset, ifUnchangedSince: earlier)
    }

    func bindings(_ request: TenureRequests.SentRequest, keyHash: Digest? = nil) -> StatementBindings {
        StatementBindings(
            product: requests.address.product, keyHash: keyHash, device: requests.device,
            occasion: .answer(to: request.nonce))
    }

    func bindings(
        _ request: TenureRequests.SentRequest, _ activation: HeldActivation
    ) -> StatementBindings? {
        guard let hash = LicenseKeyText(activation.key)?.digest, let id = ActivationID(text: activation.activation)
        else { return nil }
        var bindings = bindings(request, keyHash: hash)
        bindings.activation = id
        return bindings
    }

    static let notOurs = RequestFailure(
        .misconfigured, "This activation wasn't made with the Tenure API. Activate the license key again.")
}
