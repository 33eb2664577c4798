package import TenureCore
package import TenureCrypto
import TenureFormats
import TenureHTTP
package import TenureHTTPClient
package import TenureLicensing
import TenureThreads

/// A client of Keylight's API, version 3, for Tenure and third-party servers.
///
/// It verifies more than Keylight's own clients do. A lease must be for the license key and instance of the request,
/// and must not be older than the newest accepted one (`Documentation/keylight.md`).
package final class KeylightService: LicenseService {
    package let dialect = Dialect.keylight

    let requests: KeylightRequests
    let exchange: Exchange
    let keys: VouchedKeys
    let source: KeySource
    let now: @Sendable () -> Timestamp
    let mayCorrectMark: @Sendable (Timestamp) -> Bool

    /// What the service remembers of earlier responses.
    private struct Memory {
        var notFound: NotFoundOnce?
        var codedServer: String?
    }

    private let memory = Monitor(Memory())

    /// Creates a client for one product.
    ///
    /// - Parameters:
    ///   - now: Trusted time. It is used for validity periods of days and for the interval between two 404s.
    ///   - mayCorrectMark: Whether a signed time may show that trusted time is ahead.
    package init(
        _ requests: KeylightRequests, over transport: any HTTPTransport, pinned: [String: Ed25519.PublicKey],
        trust: KeyTrust = .pinned, now: @escaping @Sendable () -> Timestamp,
        mayCorrectMark: @escaping @Sendable (Timestamp) -> Bool = { _ in false }
    ) {
        self.requests = requests
        exchange = Exchange(transport, now: now)
        keys = VouchedKeys(product: requests.address.product, pinned: pinned, trust: trust)
        source = KeySource(requests.address, sdkKey: requests.sdkKey, over: exchange, into: keys)
        self.now = now
        self.mayCorrectMark = mayCorrectMark
    }

    package func activate(
        key: String, name: String, system: DeviceSystem?, freeTier: String?
    ) async -> Answer<LeaseGrant> {
        let (saying, object) = await send(requests.activate(key: key, name: name, freeTier: freeTier), activating: true)
        switch saying {
        case .lease(let lease, let instance?):
            let proof = KeylightProof(key: key, activation: instance)
            return withTerms(in: object, await granted(lease, proof, notBefore: nil))
        case .lease(_, nil):
            return .unknown(RequestFailure(.unverified, "The response doesn't name the activated instance."))
        // A refusal's lease isn't stored, because this device has no activation for it.
        case .refused(let reasons, _): return .refused(SignedRefusal(reasons: reasons))
        case .notFound(let reason): return .refused(SignedRefusal(reasons: [reason]))
        case .nothing(let unreached): return .unknown(unreached)
        }
    }

    package func renew(
        _ activation: HeldActivation, notBefore: Moment?, name: String?, reporting system: DeviceSystem?
    ) async -> Answer<LeaseGrant> {
        let (saying, object) = await send(requests.validate(activation), activating: false)
        let proof = KeylightProof(key: activation.key, activation: activation.activation)
        switch saying {
        case .lease(let lease, let instance):
            guard instance == nil || instance == activation.activation else {
                return .unknown(RequestFailure(.unverified, "The response is about another instance."))
            }
            forgetNotFound()
            return withTerms(in: object, await granted(lease, proof, notBefore: notBefore))
        case .refused(let reasons, let lease):
            forgetNotFound()
            return withTerms(in: object, await refused(reasons, lease, proof, notBefore: notBefore))
        case .notFound(let reason):
            return stillNotFound(activation.activation)
                ? .refused(SignedRefusal(reasons: [reason]))
                : .unknown(
                    RequestFailure(.misconfigured, "The license server does not find this license: \(reason.message)"))
        case .nothing(let unreached): return .unknown(unreached)
        }
    }

    package func release(_ activation: HeldActivation) async -> Answer<Released> {
        switch await exchange.send(requests.deactivate(activation)) {
        case .nothing(let unreached): return .unknown(unreached)
        case .said(200...299, _): return .success(Released())
        case .said(let status, let object):
            switch saying(status, object, activating: false) {
            case .refused(let reasons, _): return .refused(SignedRefusal(reasons: reasons))
            case .notFound(let reason): return .refused(SignedRefusal(reasons: [reason]))
            case .nothing(let unreached): return .unknown(unreached)
            case .lease: return .unknown(RequestFailure(.unverified, "The response to a release contains a lease."))
            }
        }
    }

    package func trial(startedAt: Moment?, name: String, system: DeviceSystem?) async -> Answer<TrialStart> {
        .unknown(RequestFailure(.misconfigured, "With the Keylight API, the server doesn't record when a trial began."))
    }

    package func verify(kept bytes: [UInt8], for activation: HeldActivation) throws(LeaseProblem) -> LeaseFacts {
        guard let lease = try? KeylightLease.Unverified(json: bytes) else { throw .malformed }
        return try KeylightProof(key: activation.key, activation: activation.activation)
            .check(lease, trusting: keys.all).facts
    }

    package func keyset() -> [UInt8] {
        let memory = memory.withLock { $0 }
        return KeylightMemory(keys: keys.encoded(), notFound: memory.notFound, codedServer: memory.codedServer).json()
    }

    package func trust(keyset: [UInt8], ifUnchangedSince earlier: [UInt8]) -> [UInt8] {
        let earlier = KeylightMemory(json: earlier)
        var stored = KeylightMemory(json: keyset)
        stored.keys = keys.restore(stored.keys, ifUnchangedSince: earlier.keys)
        memory.withLock { memory in
            if memory.notFound == earlier.notFound { memory.notFound = stored.notFound }
            if memory.codedServer == earlier.codedServer { memory.codedServer = stored.codedServer }
        }
        return stored.json()
    }

    private func send(_ request: OutgoingRequest, activating: Bool) async -> (KeylightSaying, FlatObject?) {
        switch await exchange.send(request) {
        case .nothing(let unreached): (.nothing(unreached), nil)
        case .said(let status, let object):
            (saying(status, object, activating: activating), object)
        }
    }

    /// Interprets a response, and remembers that this server sends codes once it has sent one.
    private func saying(_ status: Int, _ object: FlatObject, activating: Bool) -> KeylightSaying {
        let server = requests.address.url("/")
        let showsCode = KeylightSaying.showsCode(status, object)
        let hasCodes = memory.withLock { memory in
            if showsCode { memory.codedServer = server }
            return memory.codedServer == server
        }
        return KeylightSaying(status: status, object, activating: activating, hasCodes: hasCodes)
    }

    private func stillNotFound(_ activation: String) -> Bool {
        memory.withLock { memory in
            let (counts, remembered) = NotFoundOnce.seen(activation, at: now(), after: memory.notFound)
            memory.notFound = remembered
            return counts
        }
    }

    private func forgetNotFound() { memory.withLock { $0.notFound = nil } }
}
