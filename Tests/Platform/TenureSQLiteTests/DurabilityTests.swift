import Foundation
import TenureCore
import TenureSQLite
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

@Suite struct `The database file` {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `a copy of the database files contains a change that was acknowledged before the copy`() async throws {
        let store = try SQLiteStore.open(.tenure, path: folder.file())
        for number in 0..<20 {
            try await store.set("\(number)")
            for suffix in ["", "-wal"] {
                try? FileManager.default.removeItem(atPath: folder.file("copy.db\(suffix)"))
                try FileManager.default.copyItem(
                    atPath: folder.file("store.db\(suffix)"), toPath: folder.file("copy.db\(suffix)"))
            }
            let copy = try SQLiteStore.open(.tenure, path: folder.file("copy.db"), mode: .existing)
            #expect(try await copy.setting("\(number)") == [1])
            await copy.close()
        }
        await store.close()
    }

    @Test func `a backup is readable by its owner only and is a single file`() async throws {
        let store = try SQLiteStore.open(.tenure, path: folder.file())
        try await store.set("kept")
        let backups = try TemporaryFolder()
        try await store.backup(to: backups.file("b.db")) { _ in }
        #expect(try FileManager.default.contentsOfDirectory(atPath: backups.path) == ["b.db"])
        let attributes = try FileManager.default.attributesOfItem(atPath: backups.file("b.db"))
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(
            try sqlite(backups.file("b.db"), "SELECT hex(value) FROM settings; PRAGMA integrity_check") == "01\nok\n")
        await store.close()
    }

    @Test func `rows with references to missing rows are reported as faults`() async throws {
        let store = try SQLiteStore.open(.tenure, path: folder.file())
        #expect(try await store.faults() == [])
        _ = try sqlite(
            folder.file(),
            """
            PRAGMA foreign_keys = OFF;
            INSERT INTO activations (id, license_id, name, activated_at) VALUES (zeroblob(16), 5, '', 0);
            INSERT INTO events (sequence, at, kind, tenant, product, license_id, actor, detail)
                VALUES (7, 0, 'k', 'a', 'p', 5, 'time', '[]');
            """)
        let faults = try await store.faults()
        #expect(faults.count == 2)
        #expect(faults.contains { $0.contains("licenses") })
        #expect(faults.contains { $0.contains("events: a 7 refers") })
        await store.close()
    }

    @Test func `an unreadable row fails only the request that reads it`() async throws {
        let store = try SQLiteStore.open(.tenure, path: folder.file())
        _ = try sqlite(
            folder.file(),
            """
            INSERT INTO events (sequence, at, kind, tenant, product, license_id, actor, detail)
                VALUES (1, 0, 'k', 'NO SLUG', 'p', 5, 'time', '[]')
            """)
        let error = await #expect(throws: StoreError.self) {
            _ = try await store.all(EventRecord.table.all)
        }
        #expect(error?.code == .corrupt)
        try await store.set("still")
        #expect(try await store.setting("still") == [1])
        await store.close()
    }

    @Test(arguments: [
        ("licenses", "state"), ("activations", "released_by"), ("license_credentials", "kind"),
        ("signing_keys", "standing"), ("marketplaces", "access"), ("app_assets", "kind"), ("app_licenses", "state"),
        ("marketplace_keys", "purpose"), ("marketplace_keys", "origin"), ("credentials", "kind"),
    ])
    func `reading a row with an undeclared code, such as an unknown state, fails as corrupt`(
        table: String, column: String
    ) async throws {
        let version = try #require(StoreSchema.tenure.identifiers.last)
        try FileManager.default.copyItem(
            atPath: "\(MigrationTests.fixtures)/\(version).sqlite", toPath: folder.file())
        _ = try sqlite(folder.file(), "UPDATE OR IGNORE \(table) SET \(column) = 'other' WHERE \(column) IS NOT NULL")
        let store = try SQLiteStore.open(.tenure, path: folder.file(), mode: .existing)
        let error = await #expect(throws: StoreError.self) { _ = try await store.readEverything() }
        #expect(error?.code == .corrupt)
        await store.close()
    }
}
