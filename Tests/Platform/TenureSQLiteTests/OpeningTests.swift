import Foundation
import TenureSQLite
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

@Suite struct `Opening a database` {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `a new database and its log are readable by their owner only`() async throws {
        let store = try SQLiteStore.open(.tenure, path: folder.file())
        try await store.set("a")
        for name in ["store.db", "store.db-wal", "store.db-shm"] {
            #expect(try mode(of: folder.file(name)) == 0o600, "\(name)")
        }
        await store.close()
    }

    @Test func `opening a database again runs no migration and keeps its rows`() async throws {
        let first = try SQLiteStore.open(.tenure, path: folder.file())
        try await first.set("kept")
        await first.close()
        let before = try sqlite(folder.file(), "SELECT * FROM migrations; SELECT * FROM sqlite_schema")
        let second = try SQLiteStore.open(.tenure, path: folder.file(), mode: .existing)
        #expect(try await second.setting("kept") == [1])
        await second.close()
        #expect(try sqlite(folder.file(), "SELECT * FROM migrations; SELECT * FROM sqlite_schema") == before)
    }

    @Test func `a closed database has no log file`() async throws {
        let store = try SQLiteStore.open(.tenure, path: folder.file())
        try await store.set("a")
        _ = try await store.catalog()
        await store.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["store.db"])
    }

    @Test func `eight stores can create one database file concurrently`() async throws {
        let path = folder.file()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    let store = try SQLiteStore.open(.tenure, path: path)
                    try await store.set("\(number)")
                    await store.close()
                }
            }
            try await group.waitForAll()
        }
        #expect(
            try sqlite(path, "SELECT count(*) FROM settings; SELECT count(*) FROM migrations")
                == "8\n\(StoreSchema.tenure.identifiers.count)\n")
    }

    @Test func `a database with a newer migration is refused with that migration's name and stays unchanged`()
        async throws
    {
        await (try SQLiteStore.open(.tenure, path: folder.file())).close()
        _ = try sqlite(folder.file(), "INSERT INTO migrations VALUES ('9999-from-the-future', 0)")
        let before = try Data(contentsOf: URL(fileURLWithPath: folder.file()))
        let error = try #require(throws: StoreError.self) { try SQLiteStore.open(.tenure, path: folder.file()) }
        #expect(error.code == .newerSchema)
        #expect(error.message.contains("9999-from-the-future"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file())) == before)
    }

    @Test func `another program's database is refused and stays unchanged`() throws {
        _ = try sqlite(folder.file(), "CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)")
        let before = try Data(contentsOf: URL(fileURLWithPath: folder.file()))
        #expect(code { try SQLiteStore.open(.tenure, path: folder.file()) } == .foreign)
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file())) == before)
    }

    @Test func `a file that isn't a database is refused`() throws {
        try Data(repeating: 0x41, count: 5_000).write(to: URL(fileURLWithPath: folder.file()))
        #expect(code { try SQLiteStore.open(.tenure, path: folder.file()) } == .corrupt)
    }

    @Test func `opening an existing database fails without creating a file if the file or its folder is missing`()
        throws
    {
        #expect(code { try SQLiteStore.open(.tenure, path: folder.file(), mode: .existing) } == .missing)
        #expect(code { try SQLiteStore.open(.tenure, path: folder.file("no/such/folder")) } == .missing)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
        try Data().write(to: URL(fileURLWithPath: folder.file()))
        #expect(code { try SQLiteStore.open(.tenure, path: folder.file(), mode: .existing) } == .foreign)
    }

    @Test func `a folder isn't accepted as a database`() {
        #expect(code { try SQLiteStore.open(.tenure, path: folder.path) } == .failed)
    }

    private func code(_ body: () throws -> SQLiteStore) -> StoreError.Code? {
        do {
            _ = try body()
            return nil
        } catch {
            return (error as? StoreError)?.code
        }
    }

    private func mode(of path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.posixPermissions] as? Int)
    }
}
