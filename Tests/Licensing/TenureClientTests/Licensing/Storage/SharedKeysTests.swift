import Foundation
import TenureClient
import TenureCore
import TenureLicensing
import Testing

/// Processes that share a record, of which each receives the keys that verify leases at another time.
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

    @Test func `a process that has received no keys keeps those that another one stored, and uses them`() async throws {
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

    @Test func `a process that has received keys stores them over none`() async throws {
        app.issue()
        let (one, other) = (engine(), engine())
        _ = await (one.stand(), other.stand())
        await other.keepTime()
        #expect(try stored().keyset == Data())
        #expect(try await one.activate("KEY-A") == .done)
        #expect(await other.stand(reading: true).resolution.state == .licensed)
        #expect(try stored().keyset == KeyedService.key)
    }

    @Test func `a lease that couldn't be verified is verified again once its key is there`() async throws {
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

/// A client of the vendor that verifies leases only after it has received the vendor's key, with an activation.
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
        trust(keyset: [UInt8](Self.key))
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

    func trust(keyset: [UInt8]) { lock.withLock { key = keyset } }
}
