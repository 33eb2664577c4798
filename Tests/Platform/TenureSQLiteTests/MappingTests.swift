import Foundation
import TenureSQLite
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

@Suite struct `The memory mapping of the database file` {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Returns the kilobytes of a property, such as `Size` or `Rss`, of each mapping of the database file.
    private func mapped(_ property: String) throws -> [Int] {
        let smaps = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/self/smaps"))
        var bytes: [UInt8] = []
        while let more = try smaps.read(upToCount: 65_536), !more.isEmpty { bytes += more }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        let realPath = URL(fileURLWithPath: folder.file()).standardized.path[...]
        var isOfFile = false
        var found: [Int] = []
        for line in lines {
            let words = line.split(separator: " ")
            if !words[0].hasSuffix(":") { isOfFile = words.last == realPath }
            if isOfFile, words[0] == "\(property):" { found.append(try #require(Int(words[1]))) }
        }
        return found
    }

    private func fileSize() throws -> Int {
        let file = try FileManager.default.attributesOfItem(atPath: folder.file())
        return try #require(file[.size] as? Int)
    }

    /// Opens a store whose file contains a large setting, as a restarted server does.
    private func store() async throws -> SQLiteStore {
        let store = try SQLiteStore.open(.tenure, path: folder.file())
        try await store.set("large", bytes: 2_000_000)
        await store.close()
        return try SQLiteStore.open(.tenure, path: folder.file())
    }

    @Test func `a commit of another process leaves the mapped pages in memory`() async throws {
        let store = try await store()
        #expect(try await store.setting("large")?.count == 2_000_000)
        let resident = try mapped("Rss").reduce(0, +)
        #expect(resident > 1_900)
        _ = try sqlite(folder.file(), "INSERT INTO settings VALUES ('small', x'05')")
        #expect(try await store.setting("small") == [5])
        #expect(try mapped("Rss").reduce(0, +) >= resident)
        await store.close()
    }

    @Test func `the memory mapping grows with the database file`() async throws {
        let store = try await store()
        #expect(try await store.setting("large")?.count == 2_000_000)
        let size = try fileSize()
        try await store.set("larger", bytes: 3_000_000)
        // The read releases the old snapshot, so that the log can be copied into the file.
        #expect(try await store.setting("larger")?.count == 3_000_000)
        _ = try sqlite(folder.file(), "PRAGMA wal_checkpoint(PASSIVE)")
        #expect(try fileSize() > size)
        try await store.set("small")
        #expect(try await store.setting("larger")?.count == 3_000_000)
        #expect(try (mapped("Size").max() ?? 0) * 1_024 >= fileSize())
        await store.close()
    }

    @Test func `a file that another process has shrunk and extended is read with its new pages`() async throws {
        let store = try await store()
        #expect(try await store.setting("large")?.count == 2_000_000)
        let size = try fileSize()
        _ = try sqlite(folder.file(), "DELETE FROM settings WHERE name = 'large'; VACUUM")
        // The read releases the old snapshot, so that the file can be truncated.
        #expect(try await store.setting("large") == nil)
        _ = try sqlite(folder.file(), "PRAGMA wal_checkpoint(TRUNCATE)")
        #expect(try fileSize() < size)
        _ = try sqlite(
            folder.file(),
            """
            INSERT INTO settings VALUES ('other', cast(printf('%.*c', 2000000, 'x') AS BLOB));
            PRAGMA wal_checkpoint(PASSIVE)
            """)
        #expect(try await store.setting("other") == Array(repeating: UInt8(ascii: "x"), count: 2_000_000))
        #expect(try await store.setting("large") == nil)
        await store.close()
    }
}
