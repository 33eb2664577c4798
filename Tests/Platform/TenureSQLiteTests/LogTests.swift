import Foundation
import TenureSQLite
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

@Suite struct `The write-ahead log` {
    @Test func `the write-ahead log stays below 40 MB while 80 MB are written and read`() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore.open(.tenure, path: folder.file())
        for _ in 0..<160 {
            try await store.set("large", bytes: 500_000)
            #expect(try await store.setting("large")?.count == 500_000)
        }
        let log = try FileManager.default.attributesOfItem(atPath: folder.file("store.db-wal"))
        let size = try #require(log[.size] as? Int)
        #expect(size < 40_000_000, "80 MB were written and \(size) bytes are in the log")
        await store.close()
    }

    @Test func `a read sees the commits of its own and of another process`() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore.open(.tenure, path: folder.file())
        for number in 0..<20 {
            try await store.set("own", bytes: number + 1)
            #expect(try await store.setting("own")?.count == number + 1)
            _ = try sqlite(folder.file(), "INSERT INTO settings VALUES ('\(number)', x'05')")
            #expect(try await store.setting("\(number)") == [5])
            #expect(try await store.setting("own")?.count == number + 1)
        }
        await store.close()
    }
}
