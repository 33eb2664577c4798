import TenureCore
package import TenureLicensing

/// A license service that logs each request and its result.
package struct LoggedService: LicenseService {
    private let service: any LicenseService
    private let log: LogListener

    /// Wraps a service; `hear` receives the log entries.
    package init(_ service: any LicenseService, hear: @escaping @Sendable (LicenseLogEntry) -> Void) {
        self.service = service
        log = LogListener(hear: hear)
    }

    package var dialect: Dialect { service.dialect }

    package var deviceCode: String? { service.deviceCode }

    package func activate(
        key: String, name: String, system: DeviceSystem?, freeTier: String?
    ) async -> Answer<LeaseGrant> {
        await logged("activate") {
            await service.activate(key: key, name: name, system: system, freeTier: freeTier)
        }
    }

    package func renew(
        _ activation: HeldActivation, notBefore: Moment?, name: String?, reporting system: DeviceSystem?
    ) async -> Answer<LeaseGrant> {
        await logged("renew") {
            await service.renew(activation, notBefore: notBefore, name: name, reporting: system)
        }
    }

    package func release(_ activation: HeldActivation) async -> Answer<Released> {
        await logged("release") { await service.release(activation) }
    }

    package func places(
        of activation: HeldActivation, lease: [UInt8], freeing other: String?
    ) async -> Answer<ActivatedDevices> {
        await logged("devices") { await service.places(of: activation, lease: lease, freeing: other) }
    }

    package func trial(startedAt: Moment?, name: String, system: DeviceSystem?) async -> Answer<TrialStart> {
        await logged("trial") { await service.trial(startedAt: startedAt, name: name, system: system) }
    }

    package func configuration() async -> Answer<ProductTerms> {
        await logged("configuration") { await service.configuration() }
    }

    package func verify(kept bytes: [UInt8], for activation: HeldActivation) throws(LeaseProblem) -> LeaseFacts {
        try service.verify(kept: bytes, for: activation)
    }

    package func keyset() -> [UInt8] { service.keyset() }

    package func trust(keyset: [UInt8], ifUnchangedSince earlier: [UInt8]) -> [UInt8] {
        service.trust(keyset: keyset, ifUnchangedSince: earlier)
    }

    private func logged<Value>(_ name: String, _ request: () async -> Answer<Value>) async -> Answer<Value> {
        let start = ContinuousClock.now
        log.tell(.debug, "question.sent", ["question": name], "The server is asked: \(name).")
        let answer = await request()
        let milliseconds = Int64((ContinuousClock.now - start) / .milliseconds(1))
        var facts = ["question": name, "milliseconds": String(milliseconds)]
        switch answer {
        case .success:
            facts["outcome"] = "yes"
            log.tell(.info, "question.answered", facts, "The server said yes to \(name).")
        case .refused(let refusal):
            let reason = refusal.reasons.first?.code ?? "none"
            facts["outcome"] = "no"
            facts["reason"] = reason
            log.tell(.info, "question.answered", facts, "The server said no to \(name): \(reason).")
        case .unknown(let unreached):
            facts["cause"] = unreached.cause.rawValue
            facts["retryAfter"] = unreached.retryAfter.map { String($0) }
            log.tell(.warning, "question.unanswered", facts, unreached.message)
        }
        return answer
    }
}
