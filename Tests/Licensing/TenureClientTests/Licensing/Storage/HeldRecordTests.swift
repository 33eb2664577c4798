import Foundation
import TenureCore
import TenureVault
import Testing

@testable import TenureClient

/// Reads and writes of an app's record while another process holds the record's lock.
@MainActor @Suite struct HeldRecordTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test
    func `the license state can be read while a write waits for the record's lock, and the write is done later`()
        async throws
    {
        let vault = AttendedVault(SealedFile(folder: folder.path, seal: .sample))
        let app = App(store: vault)
        app.issue()
        let manager = await app.launch()
        let holder = try hold()
        let activation = Task { try await manager.activate("KEY-A") }
        await vault.isFoundHeld()
        #expect(await manager.engine.stand().resolution.state == .expired)
        _ = consume holder
        #expect(try await activation.value == .done)
        #expect(await app.launch().state == .licensed)
    }

    @Test func `writes that wait for the record's lock are done in order`() async throws {
        let vault = AttendedVault(SealedFile(folder: folder.path, seal: .sample))
        let app = App(store: vault)
        let engine = await app.launch().engine
        let holder = try hold()
        var writes: [Task<VaultError?, Never>] = []
        for number in 1...5 {
            writes.append(
                Task {
                    await engine.save { record in
                        record.trial = .local(start: DeviceTime(Given.now), days: number + (record.days ?? 0) * 10)
                    }
                })
            while await engine.line.count < number { await Task.yield() }
        }
        _ = consume holder
        for write in writes { #expect(await write.value == nil) }
        let record = try #require(try vault.load())
        #expect(try ClientRecord(record).days == 12_345)
    }

    @Test func `cancelling an activation ends its wait for the lock, and the activation is released later`()
        async throws
    {
        let vault = AttendedVault(SealedFile(folder: folder.path, seal: .sample))
        let app = App(store: vault)
        app.issue()
        let manager = await app.launch()
        let holder = try hold()
        let activation = Task { try await manager.activate("KEY-A") }
        await vault.isFoundHeld()
        activation.cancel()
        let error = await #expect(throws: LicenseError.self) { try await activation.value }
        #expect(error?.code == .notStored)
        #expect(manager.state == .expired)
        // The lock is still held, so the call didn't wait for it.
        #expect(throws: VaultError.self) { _ = try hold() }
        _ = consume holder
        app.clock.pass(300)
        await manager.refreshIfNeeded()
        #expect(app.vendor.seat(of: "KEY-A") == nil)
        #expect(await app.launch().state == .expired)
    }

    /// Takes the record's lock, as another process would.
    private func hold() throws(VaultError) -> FileLock {
        try FileLock("license.lock", in: try PrivateFolder.creating(folder.path))
    }
}

extension ClientRecord {
    /// The length in days of a trial that was started on this device, or `nil`.
    fileprivate var days: Int? {
        guard case .local(_, let days) = trial else { return nil }
        return days
    }
}

/// Reports when a write finds the record locked.
private struct AttendedVault: Vault {
    private let inner: SealedFile
    private let found: AsyncStream<Void>
    private let finding: AsyncStream<Void>.Continuation

    init(_ inner: SealedFile) {
        self.inner = inner
        (found, finding) = AsyncStream.makeStream()
    }

    func isFoundHeld() async { for await _ in found { return } }

    func load() throws(VaultError) -> [UInt8]? { try inner.load() }

    func replace(_ record: [UInt8]) throws(VaultError) {
        try tell { () throws(VaultError) in try inner.replace(record) }
    }

    func rewrite(
        _ decide: (Result<[UInt8]?, VaultError>) throws(VaultError) -> [UInt8]?
    ) throws(VaultError) -> [UInt8]? {
        try tell { () throws(VaultError) in try inner.rewrite(decide) }
    }

    private func tell<Value>(_ body: () throws(VaultError) -> Value) throws(VaultError) -> Value {
        do throws(VaultError) {
            return try body()
        } catch {
            if error.code == .busy { finding.yield() }
            throw error
        }
    }
}
