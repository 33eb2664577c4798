import Foundation
import TenureClient
import TenureCore
import TenureCrypto
import TenureHTTP
import TenureLicensing
import Testing

/// Processes that share a record and receive the keys that verify leases at different times.
@MainActor @Suite struct SharedKeysTests {
    private let app = App(dialect: .keylight)

    private func engine() -> LicenseEngine {
        LicenseEngine(
            vault: app.vault, service: KeyedService(app.vendor), clock: app.clock, time: ClockTracker(app.clock),
            settings: LicenseEngine.Settings(deviceName: "Test"), generator: SeededGenerator(seed: 7))
    }

    private func stored() throws -> ClientRecord {
        try ClientRecord(try #require(try app.vault.load()))
    }

    @Test
    func `a process without verification keys uses those that another process stored and doesn't erase them`()
        async throws
    {
        app.issue()
        let (one, other) = (engine(), engine())
        _ = await (one.stand(), other.stand())
        #expect(try await one.activate("KEY-A") == .done)
        await other.keepTime()
        #expect(try stored().keyset == KeyedService.key)
        for engine in [one, other, engine()] {
            #expect(await engine.stand(reading: true).resolution.state == .licensed)
        }
    }

    @Test func `a process that receives verification keys stores them if the record has none`() async throws {
        app.issue()
        let (one, other) = (engine(), engine())
        _ = await (one.stand(), other.stand())
        await other.keepTime()
        #expect(try stored().keyset == Data())
        #expect(try await one.activate("KEY-A") == .done)
        #expect(await other.stand(reading: true).resolution.state == .licensed)
        #expect(try stored().keyset == KeyedService.key)
    }

    @Test
    nonisolated func
        `a process whose activation was refused doesn't erase the verification keys that another one stored`()
        async throws
    {
        let (vault, clock) = (MemoryVault(), SettableClock())
        let bench = KeylightBench()
        let lease = try bench.lease(issued: KeylightBench.now.seconds(until: Given.now))
        let activation = #"{"activated":true,"instance_id":"\#(KeylightBench.instance)","lease":\#(lease)}"#
        let served = try bench.keyset(["k1": bench.signing.publicKey])
        try await withServer { request in
            switch request.path {
            case "/acme/notes/activate":
                String(decoding: request.body, as: UTF8.self).contains(KeylightBench.key)
                    ? .json(200, activation) : .json(404, #"{"error":"x","code":"license_unknown"}"#)
            case "/acme/.well-known/keylight-keys": .json(200, served)
            default: .json(503, "{}")
            }
        } _: { url in
            func start() throws -> LicenseEngine {
                LicenseEngine(
                    vault: vault,
                    service: try bench.client(of: url, pinned: [:], trust: .served, now: { clock.truth }),
                    clock: clock, time: ClockTracker(clock), settings: LicenseEngine.Settings(deviceName: "Test"),
                    generator: SeededGenerator(seed: 7))
            }
            func storedKeyset() throws -> KeylightMemory {
                let record = try ClientRecord(try #require(try vault.load()))
                return KeylightMemory(json: [UInt8](try #require(record.keyset)))
            }
            let (one, other) = (try start(), try start())
            _ = await one.stand()
            guard case .refused = try await one.activate("NOTE-0000-0000-0000-0009") else {
                Issue.record("a wrong key was activated")
                return
            }
            #expect(try await other.activate(KeylightBench.key) == .done)
            let keys = try storedKeyset().keys
            // Both calls write the record: `refresh` because its request fails, `keepTime` because time has passed.
            _ = await one.refresh(on: .asked)
            clock.pass(600)
            await one.keepTime()
            #expect(try storedKeyset().keys == keys)
            #expect(try storedKeyset().codedServer != nil)
            for engine in [one, other, try start()] {
                #expect(await engine.stand(reading: true).resolution.state == .licensed)
            }
        }
    }

    @Test func `the unverified lease in a refusal determines the state once the key that verifies it is available`()
        async throws
    {
        app.issue(fallback: true)
        let first = engine()
        #expect(try await first.activate("KEY-A") == .done)
        app.vendor.change { $0.licenses["KEY-A"]?.termEnd = Given.now }
        app.clock.pass(300)
        #expect(await first.refresh(on: .asked).resolution.state == .limited)
        var record = try stored()
        let keyset = record.keyset
        record.license?.refused = Given.refused("license_revoked")
        record.keyset = Data()
        try app.vault.replace(record.bytes())
        let late = engine()
        #expect(await late.stand().resolution.state == .invalid)
        record.keyset = keyset
        try app.vault.replace(record.bytes())
        #expect(await late.stand(reading: true).resolution.state == .limited)
    }

    @Test func `a lease whose verification key is missing is invalid until an activation supplies the key`()
        async throws
    {
        app.issue()
        #expect(try await engine().activate("KEY-A") == .done)
        var record = try stored()
        let license = record.license
        record.keyset = Data()
        try app.vault.replace(record.bytes())
        let late = engine()
        #expect(await late.stand().resolution.state == .invalid)
        #expect(try await late.activate("KEY-A") == .done)
        #expect(try stored().license == license)
        #expect(await late.stand().resolution.state == .licensed)
    }
}

/// A client that can verify the vendor's leases only after an activation has supplied the vendor's key.
private final class KeyedService: LicenseService, @unchecked Sendable {
    // Sendable because `lock` guards `key`.
    static let key = Data("k1".utf8)

    private let vendor: Vendor
    private let lock = NSLock()
    private var key: [UInt8] = []

    init(_ vendor: Vendor) { self.vendor = vendor }

    var dialect: Dialect { vendor.dialect }

    func activate(
        key: String, name: String, system: DeviceSystem?, freeTier: String?
    ) async -> Answer<LeaseGrant> {
        lock.withLock { self.key = [UInt8](Self.key) }
        return await vendor.activate(key: key, name: name, system: system, freeTier: freeTier)
    }

    func renew(
        _ activation: HeldActivation, notBefore: Moment?, name: String?, reporting system: DeviceSystem?
    ) async -> Answer<LeaseGrant> {
        await vendor.renew(activation, notBefore: notBefore, name: name, reporting: system)
    }

    func release(_ activation: HeldActivation) async -> Answer<Released> { await vendor.release(activation) }

    func trial(startedAt: Moment?, name: String, system: DeviceSystem?) async -> Answer<TrialStart> {
        await vendor.trial(startedAt: startedAt, name: name, system: system)
    }

    func configuration() async -> Answer<ProductTerms> { await vendor.configuration() }

    func verify(kept bytes: [UInt8], for activation: HeldActivation) throws(LeaseProblem) -> LeaseFacts {
        guard lock.withLock({ key == [UInt8](Self.key) }) else { throw .unknownKey }
        return try vendor.verify(kept: bytes, for: activation)
    }

    func keyset() -> [UInt8] { lock.withLock { key } }

    func trust(keyset: [UInt8], ifUnchangedSince earlier: [UInt8]) -> [UInt8] {
        lock.withLock {
            if key == earlier { key = keyset }
            return keyset
        }
    }
}
