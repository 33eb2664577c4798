import Foundation
import GoldenFiles
import TenurePostgres
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

/// Migrates small databases that earlier versions of the program created.
///
/// `Tests/Fixtures/stores` has a dump for the baseline and one for each migration, named after its last migration.
/// Every table has rows. `TENURE_WRITE_COPIES=1` writes the missing dump.
@Suite("Databases from every version") struct MigrationTests {
    static let fixtures = URL.packageRoot.appending(path: "Tests/Fixtures/stores").path

    let server: PostgresServer
    let url: String

    init() throws {
        server = try PostgresServer.shared.get()
        url = try server.makeDatabase()
    }

    @Test func `the fixtures contain a PostgreSQL dump of every schema version`() async throws {
        let missing = "\(Self.fixtures)/\(StoreSchema.tenure.identifiers.last ?? "").pgdump"
        if ProcessInfo.processInfo.environment["TENURE_WRITE_COPIES"] != nil,
            !FileManager.default.fileExists(atPath: missing)
        {
            let store = try await PostgresStore.open(.tenure, url: url, mode: .create)
            for sample in TableSample.all { try await store.adopt(sample.rows, of: sample.table) }
            await store.close()
            try server.run("pg_dump", ["--no-owner", "--no-privileges", "--inserts", "--file", missing], in: url)
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.fixtures).filter {
            $0.hasSuffix(".pgdump")
        }
        #expect(names.sorted() == StoreSchema.tenure.identifiers.map { "\($0).pgdump" })
    }

    @Test(arguments: StoreSchema.tenure.identifiers)
    func `a migrated database keeps its row counts and has the schema of a new one`(version: String) async throws {
        try server.run(
            "psql", ["-X", "-q", "-v", "ON_ERROR_STOP=1", "-f", "\(Self.fixtures)/\(version).pgdump"], in: url)
        let counts = try rowCounts()
        let store = try await PostgresStore.open(.tenure, url: url)
        #expect(try await store.faults().isEmpty)
        #expect(
            try await store.schemaFaults(of: StoreSchema.tenure.tables, sets: StoreSchema.tenure.sets) == [])
        for (table, count) in try await store.readEverything() where counts[table] != nil {
            #expect(counts[table] == count, "\(table)")
        }
        await store.close()
        let fresh = try server.makeDatabase()
        await (try PostgresStore.open(.tenure, url: fresh, mode: .create)).close()
        #expect(try schema(of: url) == schema(of: fresh))
    }

    @Test func `a migration after the baseline creates the same schema as a new database of that version`() async throws
    {
        await (try PostgresStore.open(.tenure, url: url, mode: .create)).close()
        let store = try await PostgresStore.open(LaterVersion.schema, url: url)
        #expect(
            try await store.schemaFaults(of: LaterVersion.schema.tables, sets: LaterVersion.schema.sets) == [])
        await store.close()
        let fresh = try server.makeDatabase()
        await (try PostgresStore.open(LaterVersion.schema, url: fresh, mode: .create)).close()
        #expect(try schema(of: url) == schema(of: fresh))
    }

    @Test
    func `an earlier version's open store still saves changes after a migration, but that version can't reopen it`()
        async throws
    {
        try await LaterVersion.check { schema in try await PostgresStore.open(schema, url: url, mode: .create) }
    }

    @Test func `a migration has no time limit, but fails with a message if another session holds a lock`() async throws
    {
        let limits = PostgresStore.Limits(lockTimeout: .milliseconds(100))
        await (try PostgresStore.open(.tenure, url: url, mode: .create)).close()
        let lock = try Holder(server, url, "BEGIN; SELECT pg_advisory_xact_lock(1414419794, 1)")
        let waiting = await #expect(throws: StoreError.self) {
            try await PostgresStore.open(LaterVersion.schema, url: url, limits: limits)
        }
        #expect(waiting?.code == .busy && waiting?.message.contains("being migrated by another server") == true)
        lock.letGo()
        let reader = try Holder(server, url, "BEGIN; LOCK TABLE settings IN ACCESS SHARE MODE")
        let blocked = await #expect(throws: StoreError.self) {
            try await PostgresStore.open(LaterVersion.schema, url: url, limits: limits)
        }
        #expect(blocked?.code == .busy && blocked?.message.contains("pg_stat_activity") == true)
        reader.letGo()
        // The trigger records the session's statement timeout while the migration runs.
        try server.sql(
            """
            CREATE TABLE seen (timeout text);
            CREATE FUNCTION see() RETURNS event_trigger LANGUAGE plpgsql AS
                'BEGIN INSERT INTO seen VALUES (current_setting(''statement_timeout'')); END';
            CREATE EVENT TRIGGER see ON ddl_command_end EXECUTE FUNCTION see()
            """, in: url)
        await (try PostgresStore.open(LaterVersion.schema, url: url, limits: limits)).close()
        #expect(try server.sql("SELECT DISTINCT timeout FROM seen", in: url) == "0")
    }

    @Test func `concurrent migrations of one database record each migration once`() async throws {
        await (try PostgresStore.open(.tenure, url: url, mode: .create)).close()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<6 {
                group.addTask { [url] in await (try PostgresStore.open(LaterVersion.schema, url: url)).close() }
            }
            try await group.waitForAll()
        }
        #expect(
            try server.sql("SELECT string_agg(id, ',' ORDER BY id) FROM tenure_migrations", in: url)
                == LaterVersion.schema.identifiers.joined(separator: ","))
    }

    @Test func `a failing migration leaves the database unchanged`() async throws {
        await (try PostgresStore.open(.tenure, url: url, mode: .create)).close()
        let before = try schema(of: url)
        let broken = Migration(
            "9001-broken", LaterVersion.migration.steps + [.text(sqlite: "NO SQL", postgres: "NO SQL")])
        let later = StoreSchema(LaterVersion.schema.kept, migrations: [broken])
        await #expect(throws: StoreError.self) { try await PostgresStore.open(later, url: url) }
        #expect(try schema(of: url) == before)
    }

    private func rowCounts() throws -> [String: Int] {
        let counts = try server.sql(
            """
            SELECT relname, (xpath('/row/c/text()', query_to_xml(format('SELECT count(*) AS c FROM %I', relname),
                false, true, '')))[1]::text
            FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
            """, in: url)
        return Dictionary(
            uniqueKeysWithValues: counts.split(separator: "\n").compactMap { line in
                let parts = line.split(separator: "|")
                return Int(parts[1]).map { (String(parts[0]), $0) }
            })
    }

    /// Returns columns, indexes, constraints and migrations. Columns are ordered by name, because a migrated table has
    /// its newest columns last.
    private func schema(of database: String) throws -> String {
        try [
            """
            SELECT table_name, column_name, data_type, collation_name, is_nullable, is_identity
            FROM information_schema.columns WHERE table_schema = 'public' ORDER BY table_name, column_name
            """,
            "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY indexname",
            """
            SELECT conrelid::regclass::text, pg_get_constraintdef(oid) FROM pg_constraint
            WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2
            """, "SELECT id FROM tenure_migrations ORDER BY id",
        ].map { try server.sql($0, in: database) }.joined(separator: "\n\n")
    }
}
