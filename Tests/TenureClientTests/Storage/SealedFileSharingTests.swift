import Foundation
import Testing

@testable import TenureClient

@Suite struct SealedFileSharingTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `no increment of several processes and threads is lost, and no reader sees a torn record`() async throws
    {
        let path = folder.path
        try SealedFile(folder: path, seal: .sample).replace(Count.record(0))
        let readers = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<3 {
                group.addTask { [path = path as String] in
                    await #expect(processExitsWith: .success) { [path = path as String] in
                        for _ in 0..<50 { try Count.increment(in: path) }
                    }
                    return 0
                }
            }
            for _ in 0..<2 {
                group.addTask {
                    for _ in 0..<50 { try Count.increment(in: path) }
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

    @Test func `a lock that is held is waited for, and its holder named when it never lets go`() throws {
        let folder = try PrivateFolder.made(folder.path)
        let holder = try FileLock("license.lock", in: folder)
        do {
            _ = try FileLock("license.lock", in: folder, patience: [0, 1, 1])
            Issue.record("two hold one lock")
        } catch {
            #expect(error.code == .unwritable)
            #expect(error.message.contains("Another process holds"))
        }
        _ = consume holder
        _ = try FileLock("license.lock", in: folder, patience: [0])
    }
}

/// A number that fills 4 KiB, so that half a record would show.
enum Count {
    static func record(_ count: Int) -> [UInt8] { Array(String(count).utf8) + Array(repeating: 0x20, count: 4096) }

    static func value(_ record: [UInt8]?) -> Int? {
        guard let record, record.count > 4096 else { return nil }
        return Int(String(decoding: record.prefix(while: { $0 != 0x20 }), as: UTF8.self))
    }

    static func increment(in path: String) throws {
        try SealedFile(folder: path, seal: .sample).update { record in value(record).map { Self.record($0 + 1) } }
    }
}
