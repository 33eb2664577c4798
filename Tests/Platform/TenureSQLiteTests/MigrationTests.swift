import Foundation
import GoldenFiles
import TenureSQLite
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

/// Migrates small stores that earlier versions of the program created.
///
/// `Tests/Fixtures/stores` has a store for the baseline and for each migration, named after its last migration. Every
/// table has rows. `TENURE_WRITE_COPIES=1` writes the missing store of the last migration.
@Suite("Stores from every version") struct MigrationTests {
    static let fixtures = URL.packageRoot.appending(path: "Tests/Fixtures/stores").path

    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `the fixtures contain a SQLite store of every schema version`() async throws {
        let missing = "\(Self.fixtures)/\(StoreSchema.tenure.identifiers.last ?? "").sqlite"
        if ProcessInfo.processInfo.environment["TENURE_WRITE_COPIES"] != nil,
            !FileManager.default.fileExists(atPath: missing)
        {
            let store = try SQLiteStore.open(.tenure, path: missing)
            for sample in TableSample.all { try await store.adopt(sample.rows, of: sample.table) }
            await store.close()
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.fixtures).filter {
            $0.hasSuffix(".sqlite")
        }
        #expect(names.sorted() == StoreSchema.tenure.identifiers.map { "\($0).sqlite" })
    }

    @Test(arguments: StoreSchema.tenure.identifiers)
    func `a migrated store keeps its row counts and has the schema of a new one`(version: String) async throws {
        try FileManager.default.copyItem(atPath: "\(Self.fixtures)/\(version).sqlite", toPath: folder.file())
        let counts = try rowCounts()
        let store = try SQLiteStore.open(.tenure, path: folder.file(), mode: .existing)
        #expect(try await store.faults().isEmpty)
        #expect(
            try await store.schemaFaults(of: StoreSchema.tenure.tables, sets: StoreSchema.tenure.sets) == [])
        for (table, count) in try await store.readEverything() where counts[table] != nil {
            #expect(counts[table] == count, "\(table)")
        }
        await store.close()
        await (try SQLiteStore.open(.tenure, path: folder.file("fresh.db"))).close()
        #expect(try schema(of: folder.file()) == schema(of: folder.file("fresh.db")))
    }

    @Test func `a migration after the baseline creates the same schema as a new database of that version`() async throws
    {
        await (try SQLiteStore.open(.tenure, path: folder.file())).close()
        let store = try SQLiteStore.open(LaterVersion.schema, path: folder.file(), mode: .existing)
        #expect(
            try await store.schemaFaults(of: LaterVersion.schema.tables, sets: LaterVersion.schema.sets) == [])
        await store.close()
        await (try SQLiteStore.open(LaterVersion.schema, path: folder.file("fresh.db"))).close()
        #expect(try schema(of: folder.file()) == schema(of: folder.file("fresh.db")))
    }

    @Test
    func `an earlier version's open store still saves changes after a migration, but that version can't reopen it`()
        async throws
    {
        try await LaterVersion.check { schema in try SQLiteStore.open(schema, path: folder.file()) }
    }

    @Test func `concurrent migrations of one store record each migration once`() async throws {
        await (try SQLiteStore.open(.tenure, path: folder.file())).close()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { [folder] in
                    await (try SQLiteStore.open(LaterVersion.schema, path: folder.file())).close()
                }
            }
            try await group.waitForAll()
        }
        #expect(
            try sqlite(folder.file(), "SELECT group_concat(id) FROM (SELECT id FROM migrations ORDER BY id)")
                == LaterVersion.schema.identifiers.joined(separator: ",") + "\n")
    }

    @Test func `a failing migration leaves the store unchanged`() async throws {
        await (try SQLiteStore.open(.tenure, path: folder.file())).close()
        let before = try schema(of: folder.file())
        let broken = Migration(
            "9001-broken", LaterVersion.migration.steps + [.text(sqlite: "NO SQL", postgres: "NO SQL")])
        let schema = StoreSchema(LaterVersion.schema.kept, migrations: [broken])
        #expect(throws: StoreError.self) { try SQLiteStore.open(schema, path: folder.file()) }
        #expect(try self.schema(of: folder.file()) == before)
    }

    private func rowCounts() throws -> [String: Int] {
        let names = try sqlite(folder.file(), "SELECT name FROM sqlite_schema WHERE type = 'table'").split(
            separator: "\n")
        let counts = try sqlite(
            folder.file(), names.map { "SELECT count(*) FROM \"\($0)\";" }.joined(separator: " "))
        let numbers = counts.split(separator: "\n").compactMap { Int($0) }
        return Dictionary(uniqueKeysWithValues: zip(names.map(String.init), numbers))
    }

    /// Returns columns, foreign keys, indexes and migrations. Columns are ordered by name, because a migrated table has
    /// its newest columns last.
    private func schema(of path: String) throws -> String {
        try sqlite(
            path,
            """
            SELECT t.name, c.name, c.type, c."notnull", c.pk FROM sqlite_schema t JOIN pragma_table_info(t.name) c
                WHERE t.type = 'table' ORDER BY t.name, c.name;
            SELECT t.name, f."table", f."from", f."to" FROM sqlite_schema t JOIN pragma_foreign_key_list(t.name) f
                WHERE t.type = 'table' ORDER BY t.name, f."table", f.seq;
            SELECT name, sql FROM sqlite_schema WHERE type = 'index' ORDER BY name;
            SELECT id FROM migrations ORDER BY id
            """)
    }
}
