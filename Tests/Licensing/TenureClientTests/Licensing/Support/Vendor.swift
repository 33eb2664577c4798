import Foundation
import TenureClient
import TenureCore
import TenureLicensing

/// An in-memory license server that uses the true time. It responds as a real server does, and logs its responses.
final class Vendor: LicenseService, @unchecked Sendable {
    // Sendable because `lock` guards all properties below it.
    private let lock = NSLock()
    private var world = World()
    private var log: [Said] = []
    private var asked: [String] = []
    private let clock: SettableClock
    let dialect: Dialect

    struct World {
        var licenses: [String: Grant] = [:]
        var terms = ProductTerms(trialDays: 14, freeTier: false)
        var trial: Moment?
        /// The days that the vendor added to the trial.
        var extraDays = 0
        var outage: RequestFailure?
        var created = 0
        var entitlements: [LeaseFacts.Grant] = []
        var failsReleases = false
        var failsConfigurations = false
        var failsTrials = false
        var changesAt: Moment?
        /// The system in each activation and renewal that reached the vendor.
        var reports: [String?] = []
        /// The device's name in each activation and renewal that reached the vendor.
        var names: [String?] = []
        /// The kinds of request, such as `renew`, whose responses wait until their stream finishes.
        var gates: [String: AsyncStream<Void>] = [:]
    }

    struct Grant {
        enum State { case open, suspended, revoked }
        var state = State.open
        var termEnd: Timestamp?
        var hasFallback = false
        var seat: String?
    }

    /// A response that reached the client.
    enum Said: Sendable {
        case activated(HeldActivation, LeaseFacts)
        case activationRefused
        case renewed(LeaseFacts)
        case refused(code: String, lease: LeaseFacts.Status?)
        case released(String)
        case listed
        case trial(start: Moment, days: Int)
        case trialRefused
        case terms(ProductTerms)
    }

    init(_ clock: SettableClock, dialect: Dialect = .tenure) {
        self.clock = clock
        self.dialect = dialect
    }

    func change(_ body: (inout World) -> Void) { lock.withLock { body(&world) } }

    /// Returns the responses since the last call, each with the current true time.
    func drain() -> [(Said, Timestamp)] {
        let now = clock.truth
        return lock.withLock {
            defer { log = [] }
            return log.map { ($0, now) }
        }
    }

    /// The kinds of all requests in order, such as `renew`, with or without a response.
    var requests: [String] { lock.withLock { asked } }

    var reports: [String?] { lock.withLock { world.reports } }
    var names: [String?] { lock.withLock { world.names } }

    func seat(of key: String) -> String? { lock.withLock { world.licenses[key]?.seat } }

    func activate(
        key: String, name: String, system: DeviceSystem?, freeTier: String?
    ) async -> Answer<LeaseGrant> {
        await answer("activate") { world, now in
            world.reports.append(system?.text)
            world.names.append(name)
            guard var license = world.licenses[key] else {
                return (.refused(no("license_unknown", now)), .activationRefused)
            }
            guard license.state == .open, !license.isOver(at: now) || license.hasFallback else {
                return (.refused(no("license_revoked", now)), .activationRefused)
            }
            if license.seat == nil {
                world.created += 1
                license.seat = "seat-\(world.created)"
            }
            world.licenses[key] = license
            let lease = license.lease(key: key, at: now, world: world)
            return (
                .success(grant(lease, now)), .activated(HeldActivation(key: key, activation: lease.activation), lease)
            )
        }
    }

    func renew(
        _ activation: HeldActivation, notBefore: Moment?, name: String?, reporting system: DeviceSystem?
    ) async -> Answer<LeaseGrant> {
        await answer("renew") { world, now in
            world.reports.append(system?.text)
            world.names.append(name)
            func no(_ code: String, _ lease: LeaseFacts? = nil) -> (Answer<LeaseGrant>, Said) {
                let no = SignedRefusal(
                    reasons: [ToldReason(code: code, message: "No.", changesAt: world.changesAt)],
                    lease: lease.map { SignedRefusal.Lease(facts: $0, bytes: bytes($0)) }, serverTime: Moment(now),
                    terms: dialect == .keylight ? world.terms : nil)
                return (.refused(no), .refused(code: code, lease: lease?.status))
            }
            guard let license = world.licenses[activation.key], license.seat == activation.activation else {
                return no("activation_released")
            }
            switch license.state {
            case .revoked: return no("license_revoked")
            case .suspended: return no("license_suspended")
            case .open: break
            }
            let lease = license.lease(key: activation.key, at: now, world: world)
            if lease.status != .active { return no("license_expired", lease) }
            return (.success(grant(lease, now)), .renewed(lease))
        }
    }

    func release(_ activation: HeldActivation) async -> Answer<Released> {
        if lock.withLock({ world.failsReleases }) { return .unknown(RequestFailure(.busy, "503")) }
        return await answer("release") { world, now in
            if world.licenses[activation.key]?.seat == activation.activation {
                world.licenses[activation.key]?.seat = nil
            }
            return (.success(Released(serverTime: Moment(now))), .released(activation.activation))
        }
    }

    func trial(startedAt: Moment?, name: String, system: DeviceSystem?) async -> Answer<TrialStart> {
        if dialect == .keylight { return .unknown(RequestFailure(.misconfigured, "Nobody keeps trials.")) }
        if lock.withLock({ world.failsTrials }) { return .unknown(RequestFailure(.busy, "503")) }
        return await answer("trial") { world, now in
            let offered = world.terms.trialDays ?? 0
            guard offered > 0 else { return (.refused(no("trial_not_offered", now)), .trialRefused) }
            let days = offered + world.extraDays
            let start = world.trial ?? min(startedAt ?? Moment(now), Moment(now))
            world.trial = start
            return (
                .success(TrialStart(start: start, days: days, serverTime: Moment(now))),
                .trial(start: start, days: days)
            )
        }
    }

    func configuration() async -> Answer<ProductTerms> {
        if lock.withLock({ world.failsConfigurations }) { return .unknown(RequestFailure(.busy, "503")) }
        return await answer("configuration") { world, now in
            let terms = ProductTerms(
                trialDays: world.terms.trialDays, freeTier: world.terms.freeTier, signedAt: Moment(now))
            return (.success(terms), .terms(terms))
        }
    }

    func verify(kept bytes: [UInt8], for activation: HeldActivation) throws(LeaseProblem) -> LeaseFacts {
        guard let lease = try? JSONDecoder().decode(LeaseFacts.self, from: Data(bytes)) else { throw .malformed }
        guard lease.keyHash == activation.key else { throw .otherLicense }
        guard lease.activation == activation.activation else { throw .otherActivation }
        return lease
    }

    func keyset() -> [UInt8] { Array("keys".utf8) }
    func trust(keyset: [UInt8], ifUnchangedSince earlier: [UInt8]) -> [UInt8] { keyset }

    /// Returns a list with the license's only device. Like a real server, it rejects a lease that has lapsed by the
    /// vendor's clock.
    func places(of activation: HeldActivation, lease: [UInt8], freeing other: String?) async -> Answer<ActivatedDevices>
    {
        guard dialect == .tenure else { return .unknown(RequestFailure(.misconfigured, "There is no list.")) }
        return await answer("devices") { world, now in
            guard let shown = try? JSONDecoder().decode(LeaseFacts.self, from: Data(lease)),
                now < shown.expiresAt.timestamp
            else {
                return (
                    .unknown(RequestFailure(.misconfigured, "The lease isn't valid.", code: "lease_not_valid")),
                    .refused(code: "lease_not_valid", lease: nil)
                )
            }
            let own = ActivatedDevices.Place(
                activation: activation.activation, name: "Test", system: nil, activatedAt: Moment(now),
                lastSeenAt: Moment(now))
            let held = ActivatedDevices(
                places: [own], total: 205, limit: nil, releasesLeft: nil, nextRelease: nil, serverTime: Moment(now))
            return (.success(held), .listed)
        }
    }

    private func answer<Value>(
        _ verb: String, _ body: @Sendable (inout World, Timestamp) -> (Answer<Value>, Said)
    ) async -> Answer<Value> {
        // Lets other tasks run while the request and its response are on their way.
        await Task.yield()
        let (answer, gate): (Answer<Value>, AsyncStream<Void>?) = lock.withLock {
            asked.append(verb)
            let gate = world.gates[verb]
            if let outage = world.outage { return (.unknown(outage), gate) }
            let (answer, said) = body(&world, clock.truth)
            log.append(said)
            return (answer, gate)
        }
        await Task.yield()
        if let gate { for await _ in gate {} }
        return answer
    }

    private func grant(_ lease: LeaseFacts, _ now: Timestamp) -> LeaseGrant {
        LeaseGrant(facts: lease, bytes: bytes(lease), serverTime: Moment(now))
    }

    private func no(_ code: String, _ now: Timestamp) -> SignedRefusal {
        SignedRefusal(reasons: [ToldReason(code: code, message: "No.")], serverTime: Moment(now))
    }

    private func bytes(_ lease: LeaseFacts) -> [UInt8] {
        let encoder = JSONEncoder()
        // The same lease always has the same bytes, as with a real server's signatures.
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(lease)).map { [UInt8]($0) } ?? []
    }
}

extension Vendor.Grant {
    func isOver(at now: Timestamp) -> Bool { termEnd.map { now >= $0 } ?? false }

    fileprivate func lease(key: String, at now: Timestamp, world: Vendor.World) -> LeaseFacts {
        let week = now.adding(days: 7)
        let status: LeaseFacts.Status = !isOver(at: now) ? .active : hasFallback ? .fallback : .expired
        let end = status == .active ? min(week, termEnd ?? week) : week
        return LeaseFacts(
            status: status, keyHash: key, activation: seat ?? "", issuedAt: Moment(now), expiresAt: Moment(end),
            termEnd: termEnd.map { Moment($0) }, entitlements: status == .active ? world.entitlements : [])
    }
}
