import TenureServerKit
import TenureStore
import TenureTesting
import Testing

@testable import TenureSQLite

@Suite struct IntegrityTests {
    @Test func `an integrity check in a cancelled task is refused as busy, and the next one succeeds`() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore.open(.tenure, path: folder.file("a.db"))
        #expect(try await store.integrityFaults(of: nil) == [])
        let givenUp = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await #expect(throws: StoreError.self) { try await store.integrityFaults(of: nil) }
        }.value
        #expect(givenUp?.code == .busy)
        #expect(try await store.integrityFaults(of: nil) == [])
        await store.close()
    }

    @Test func `an integrity check whose stop is requested fails as busy, and the next one succeeds`() async throws {
        let folder = try TemporaryFolder()
        let connection = try Connection(path: folder.file("large.db"), flags: 6)
        try connection.execute(
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY, k BLOB UNIQUE);
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
            INSERT INTO t SELECT i, randomblob(16) FROM n;
            """)
        let sign = StopSign()
        let error = #expect(throws: StoreError.self) {
            try connection.heeding(sign) {
                sign.raise()
                _ = try connection.once("PRAGMA integrity_check") { row in try row.next(String.self) }
            }
        }
        #expect(error?.code == .busy)
        let words = try connection.once("PRAGMA integrity_check") { row in try row.next(String.self)
        }
        #expect(words == ["ok"])
    }
}
