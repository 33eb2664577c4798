import Foundation
import TenureCore
import TenureVault
import Testing

@testable import TenureClient

/// Licenses whose record can't be read or written.
@MainActor @Suite struct LicenseStorageFaultTests {
    private let full = VaultError(.unwritable, "The disk is full.")

    @Test func `an activation that can't be stored throws an error and is released`() async throws {
        let app = App()
        app.issue()
        let manager = await app.launch()
        app.vault.fail(with: full)
        do throws(LicenseError) {
            try await manager.activate("KEY-A")
            Issue.record("no error was thrown")
        } catch {
            #expect(error.code == .notStored)
            #expect(error.message == "The disk is full. The activation was released.")
        }
        #expect(app.vendor.seat(of: "KEY-A") == nil)
        #expect(manager.state == .expired)
        #expect(manager.explanation.reasons.last?.code == "record_unwritable")
        app.vault.fail(with: nil)
        #expect(try await manager.activate("KEY-A") == .done)
        #expect(await app.launch().state == .licensed)
    }

    @Test func `an activation that can neither be stored nor released is released later`() async throws {
        let app = App()
        app.issue()
        let manager = await app.launch()
        app.vault.fail(with: full)
        app.vendor.change { $0.failsReleases = true }
        await #expect(throws: LicenseError.self) { try await manager.activate("KEY-A") }
        #expect(app.vendor.seat(of: "KEY-A") != nil)
        app.vault.fail(with: nil)
        app.vendor.change { $0.failsReleases = false }
        app.clock.pass(300)
        await manager.refreshIfNeeded()
        #expect(app.vendor.seat(of: "KEY-A") == nil)
    }

    @Test func `a lease that can't be stored is valid in this process and stored at the next check`() async throws {
        let app = App()
        app.issue()
        let manager = await app.launch()
        try await manager.activate("KEY-A")
        app.clock.pass(6 * Given.day)
        app.vault.fail(with: full)
        await manager.refreshIfNeeded()
        #expect(manager.state == .licensed)
        #expect(manager.explanation.reasons.map(\.code) == ["lease_holds", "record_unwritable"])
        app.vault.fail(with: nil)
        app.goOffline()
        app.clock.pass(3 * Given.day)
        await manager.launch()
        #expect(manager.state == .licensed)
        #expect(await app.launch().state == .licensed)
    }

    @Test(arguments: [VaultError.Code.corrupted, .foreign])
    func `a lost record makes the state invalid offline until a license is activated`(
        code: VaultError.Code
    ) async throws {
        let vault = LostVault(VaultError(code, "It is lost."))
        let app = App(trialDays: 14, store: vault)
        app.issue()
        app.goOffline()
        let manager = await app.launch()
        #expect(manager.state == .invalid)
        #expect(manager.explanation.reasons[0].code == "record_\(code.rawValue)")
        // A damaged record must not allow another trial.
        guard case .unreached = try await manager.startTrial() else {
            Issue.record("a trial started")
            return
        }
        #expect(manager.state == .invalid)
        app.goOffline(false)
        #expect(try await manager.activate("KEY-A") == .done)
        #expect(manager.state == .licensed)
        #expect(await app.launch().state == .licensed)
    }

    @Test func `a lost record of an app without a license is replaced after an online check`() async throws {
        let app = App(store: LostVault(VaultError(.corrupted, "It is lost.")))
        app.vendor.change { $0.terms = ProductTerms(trialDays: 0, freeTier: true) }
        #expect(await app.launch().state == .freeTier)
        app.goOffline()
        #expect(await app.launch().state == .freeTier)
    }

    @Test(arguments: [VaultError.Code.corrupted, .foreign])
    func `the loss of a record is reported until a license is activated`(code: VaultError.Code) async throws {
        let app = App(store: LostVault(VaultError(code, "It is lost.")))
        app.issue()
        let lost = "record_\(code.rawValue)"
        app.clock.turnWall(by: -Given.day)
        #expect(await app.launch().explanation.reasons.map(\.code) == ["trial_not_started", "no_free_tier", lost])
        app.clock.turnWall(by: Given.day)
        for _ in 0..<3 {
            app.clock.pass(7 * 3_600)
            let reasons = await app.launch().explanation.reasons
            #expect(reasons.map(\.code) == ["trial_not_started", "no_free_tier", lost])
            // `foundAt` is the server's time, not the device's.
            #expect(reasons[2].evidence == ["foundAt": "\(Given.now)"])
        }
        let manager = await app.launch()
        app.vendor.change { $0.licenses["KEY-A"]?.state = .revoked }
        guard case .refused = try await manager.activate("KEY-A") else {
            Issue.record("activated")
            return
        }
        #expect(manager.explanation.reasons.last?.code == lost)
        app.vendor.change { $0.licenses["KEY-A"]?.state = .open }
        #expect(try await manager.activate("KEY-A") == .done)
        #expect(manager.explanation.reasons.map(\.code) == ["lease_holds"])
        try await manager.deactivate()
        #expect(await app.launch().explanation.reasons.map(\.code) == ["trial_not_started", "no_free_tier"])
    }

    @Test func `a lost license record is reported until the server confirms a trial`()
        async throws
    {
        let app = App(trialDays: 14, store: LostVault(VaultError(.corrupted, "It is lost.")))
        let manager = await app.launch()
        app.goOffline()
        guard case .unreached = try await manager.startTrial() else {
            Issue.record("a trial started")
            return
        }
        #expect(manager.explanation.reasons.map(\.code).contains("record_corrupted"))
        app.goOffline(false)
        #expect(try await manager.startTrial() == .done)
        #expect(manager.explanation.reasons.map(\.code) == ["trial_running"])
        #expect(await app.launch().explanation.reasons.map(\.code) == ["trial_running"])
    }

    @Test
    func `a slow launch that found its record lost doesn't overwrite the record that another process wrote meanwhile`()
        async throws
    {
        let app = App(store: LostVault(VaultError(.corrupted, "It is lost.")))
        app.issue()
        let (gate, opening) = AsyncStream<Void>.makeStream()
        app.vendor.change { $0.gates["configuration"] = gate }
        let slow = app.start()
        let launch = Task { await slow.launch() }
        while app.vendor.requests.isEmpty { await Task.yield() }
        #expect(try await app.start().activate("KEY-A") == .done)
        opening.finish()
        await launch.value
        #expect(slow.state == .licensed)
        #expect(await app.launch().explanation.reasons.map(\.code) == ["lease_holds"])
    }

    @Test(arguments: [false, true])
    func `replacing a lost record doesn't overwrite a record that another process has just written`(
        isReplaced: Bool
    ) async throws {
        let written = LostVault(VaultError(.foreign, "It is lost."))
        var record = ClientRecord()
        let lease = Given.lease(issued: 0, ends: 7 * Given.day)
        record.activated(Given.held, LeaseGrant(facts: lease, bytes: [1], terms: nil, serverTime: Given.after(0)))
        let bytes = try record.bytes()
        let app = App(
            store: InterruptedVault(written) { () throws(VaultError) in if isReplaced { try written.replace(bytes) } })
        _ = await app.launch()
        let stored = try #require(try written.load().map { try ClientRecord($0) })
        #expect(stored.license?.activation == (isReplaced ? Given.held : nil))
        #expect((stored.loss == nil) == isReplaced)
        #expect(stored.terms != nil)
    }

    @Test(arguments: [VaultError.Code.corrupted, .foreign])
    func `a record that is lost while the app runs is rewritten from memory, and the loss is reported`(
        code: VaultError.Code
    ) async throws {
        let vault = LostVault()
        let app = App(store: vault)
        app.issue()
        let manager = await app.launch()
        try await manager.activate("KEY-A")
        vault.lose(VaultError(code, "It is lost."))
        app.clock.pass(7 * 3_600)
        await manager.refreshIfNeeded()
        #expect(manager.state == .licensed)
        let relaunched = await app.launch()
        #expect(relaunched.state == .licensed)
        #expect(relaunched.explanation.reasons.map(\.code) == ["lease_holds", "record_\(code.rawValue)"])
        vault.lose(VaultError(code, "It is lost."))
        #expect(try await manager.activate("KEY-A") == .done)
        #expect(app.vendor.seat(of: "KEY-A") != nil)
        #expect(await app.launch().explanation.reasons.map(\.code) == ["lease_holds"])
    }

    @Test func `a device stores its first record even if another device's record was written since the launch`()
        async throws
    {
        let vault = LostVault()
        let app = App(store: vault)
        app.issue()
        let manager = app.start()
        _ = await manager.engine.stand()
        vault.lose(VaultError(.foreign, "Another device wrote it."))
        #expect(try await manager.activate("KEY-A") == .done)
        #expect(await app.launch().explanation.reasons.map(\.code) == ["lease_holds"])
    }

    @Test func `a license's activation isn't released if activating the license again can't be stored`() async throws {
        let app = App()
        app.issue()
        let manager = await app.launch()
        try await manager.activate("KEY-A")
        app.vault.fail(with: full)
        let error = await #expect(throws: LicenseError.self) { try await manager.activate("KEY-A") }
        #expect(error?.message == "The disk is full. The license was activated already and stays so.")
        app.vault.fail(with: nil)
        #expect(app.vendor.seat(of: "KEY-A") != nil)
        app.clock.pass(7 * 3_600)
        await manager.refreshIfNeeded()
        #expect(manager.state == .licensed)
    }

    @Test func `a temporarily unreadable record is left unchanged, and no request is sent`() async throws {
        let app = App()
        app.issue()
        try await app.launch().activate("KEY-A")
        let requestCount = app.vendor.requests.count
        app.vault.fail(with: VaultError(.unreadable, "It is locked."))
        let manager = await app.launch()
        #expect(manager.state == .invalid)
        #expect(manager.explanation.reasons[0].code == "record_unreadable")
        await #expect(throws: LicenseError.self) { try await manager.activate("KEY-A") }
        #expect(app.vendor.requests.count == requestCount)
        app.vault.fail(with: nil)
        await manager.launch()
        #expect(manager.state == .licensed)
    }

    @Test func `two processes that share a record see each other's changes`() async throws {
        let app = App()
        app.issue()
        let one = await app.launch()
        let other = await app.launch()
        try await one.activate("KEY-A")
        app.clock.pass(300)
        await other.refreshIfNeeded()
        #expect(other.state == .licensed)
        try await other.deactivate()
        app.clock.pass(7 * 3_600)
        await one.refreshIfNeeded()
        #expect(one.state == .expired)
    }
}

/// A vault that calls `interrupt`, which writes as another process would, right before its first write.
private final class InterruptedVault: Vault, @unchecked Sendable {
    // Sendable because `lock` guards `isInterrupted`.
    private let lock = NSLock()
    private var isInterrupted = false
    private let inner: any Vault
    private let interrupt: @Sendable () throws(VaultError) -> Void

    init(_ inner: any Vault, _ interrupt: @escaping @Sendable () throws(VaultError) -> Void) {
        self.inner = inner
        self.interrupt = interrupt
    }

    private func interruptOnce() throws(VaultError) {
        let isFirst = lock.withLock {
            defer { isInterrupted = true }
            return !isInterrupted
        }
        if isFirst { try interrupt() }
    }

    func load() throws(VaultError) -> [UInt8]? { try inner.load() }

    func replace(_ record: [UInt8]) throws(VaultError) {
        try interruptOnce()
        try inner.replace(record)
    }

    func rewrite(
        _ decide: (Result<[UInt8]?, VaultError>) throws(VaultError) -> [UInt8]?
    ) throws(VaultError) -> [UInt8]? {
        try interruptOnce()
        return try inner.rewrite(decide)
    }
}

/// A vault whose record counts as lost until another record replaces it.
private final class LostVault: Vault, @unchecked Sendable {
    // Sendable because `lock` guards `loss`.
    private let lock = NSLock()
    private var loss: VaultError?
    private let inner = MemoryVault()

    init(_ loss: VaultError? = nil) { self.loss = loss }

    func lose(_ loss: VaultError) { lock.withLock { self.loss = loss } }

    func load() throws(VaultError) -> [UInt8]? {
        if let loss = lock.withLock({ loss }) { throw loss }
        return try inner.load()
    }

    func replace(_ record: [UInt8]) throws(VaultError) {
        try inner.replace(record)
        lock.withLock { loss = nil }
    }

    func rewrite(
        _ decide: (Result<[UInt8]?, VaultError>) throws(VaultError) -> [UInt8]?
    ) throws(VaultError) -> [UInt8]? {
        guard let loss = lock.withLock({ loss }) else { return try inner.rewrite(decide) }
        guard let decided = try decide(.failure(loss)) else { return nil }
        try replace(decided)
        return decided
    }
}
