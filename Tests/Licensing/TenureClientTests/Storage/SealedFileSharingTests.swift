import Foundation
import Testing

@testable import TenureClient
@testable import TenureVault

@Suite struct SealedFileSharingTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `concurrent updates of a record by processes and threads aren't lost, and readers see no torn record`()
        async throws
    {
        let path = folder.path
        try SealedFile(folder: path, seal: .sample).replace(Count.record(0))
        let readers = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<3 {
                group.addTask { [path = path as String] in
                    await #expect(processExitsWith: .success) { [path = path as String] in
                        for _ in 0..<50 { try await Count.increment(in: path) }
                    }
                    return 0
                }
            }
            for _ in 0..<2 {
                group.addTask {
                    for _ in 0..<50 { try await Count.increment(in: path) }
                    return 0
                }
            }
            group.addTask {
                var last = 0
                for _ in 0..<500 {
                    let count = try #require(Count.value(try SealedFile(folder: path, seal: .sample).load()))
                    #expect(count >= last)
                    last = count
                }
                return 1
            }
            return try await group.reduce(0, +)
        }
        #expect(readers == 1)
        #expect(Count.value(try SealedFile(folder: path, seal: .sample).load()) == 250)
    }

    @Test func `writing a sealed file fails as busy while its lock is held`() throws {
        let vault = SealedFile(folder: folder.path, seal: .sample)
        try vault.replace([1])
        let folder = try PrivateFolder.creating(folder.path)
        let holder = try FileLock("license.lock", in: folder)
        for write in [{ try vault.replace([2]) }, { try vault.update { _ in [2] } }] {
            #expect(#expect(throws: VaultError.self, performing: write)?.code == .busy)
        }
        #expect(try vault.load() == [1])
        _ = consume holder
        try vault.replace([2])
    }

    @Test func `a write is retried while the record's lock is held, and the error after the timeout says what to do`()
        async throws
    {
        let busy = VaultError(.busy, "Another process holds it.")
        var attempts = 0
        let waited = try await LockTimeout(pauses: [0, 0, 0]).wait { () throws(VaultError) in
            attempts += 1
            if attempts < 3 { throw busy }
            return attempts
        }
        #expect(waited == 3)
        let error = await #expect(throws: VaultError.self) {
            try await LockTimeout(pauses: [0, 1, 1]).wait { () throws(VaultError) in throw busy }
        }
        #expect(error?.code == .unwritable)
        #expect(error?.message.contains("Quit it and try again") == true)
        #expect(LockTimeout.standard.pauses.reduce(0, +) == 10_063)
    }

    @Test func `an attempt to lock a record isn't repeated after an error other than a busy lock`() async {
        var attempts = 0
        let full = VaultError(.unwritable, "The disk is full.")
        await #expect(throws: full) {
            try await LockTimeout.standard.wait { () throws(VaultError) in
                attempts += 1
                throw full
            }
        }
        #expect(attempts == 1)
    }
}

/// A number padded to more than 4 KiB, so that a partial record would be detected.
enum Count {
    static func record(_ count: Int) -> [UInt8] { Array(String(count).utf8) + Array(repeating: 0x20, count: 4096) }

    static func value(_ record: [UInt8]?) -> Int? {
        guard let record, record.count > 4096 else { return nil }
        return Int(String(decoding: record.prefix(while: { $0 != 0x20 }), as: UTF8.self))
    }

    static func increment(in path: String) async throws {
        let vault = SealedFile(folder: path, seal: .sample)
        _ = try await LockTimeout.standard.wait { () throws(VaultError) in
            try vault.update { record in value(record).map { Self.record($0 + 1) } }
        }
    }
}
