import TenureLicensing
import Foundation
import TenureCore
import TenureLicensingServer
import TenureSQLite
import TenureServer
import TenureStore
import Testing

/// Opens small stores that released versions left behind (`Tests/Fixtures/stores`, named after their last migration).
@Suite struct MigrationTests {
    static let fixtures = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Fixtures/stores")
        .standardizedFileURL.path

    @Test(arguments: try FileManager.default.contentsOfDirectory(atPath: fixtures).filter { $0.hasSuffix(".sqlite") })
    func `an older store is brought up to date and keeps what it holds`(name: String) async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.copyItem(atPath: "\(Self.fixtures)/\(name)", toPath: folder.file())
        let store = try SQLiteStore.open(.tenure, path: folder.file(), mode: .existing)
        let licenses = try await store.licenses(LicenseFilter(now: Timestamp(seconds: 0)), after: nil, limit: 10)
        #expect(licenses.map(\.key.masked).sorted() == (1...4).map { "NOTE-****-****-000\($0)" })
        #expect(try await store.census().latestEvent == 7)
        #expect(try await store.faults().isEmpty)
        await store.close()
        await (try SQLiteStore.open(.tenure, path: folder.file("fresh.db"))).close()
        let schema = "SELECT type, name, sql FROM sqlite_schema ORDER BY name; SELECT id FROM migrations ORDER BY id"
        #expect(try sqlite(folder.file(), schema) == sqlite(folder.file("fresh.db"), schema))
    }

    @Test func `there is an older store for each migration but the last`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.fixtures).sorted()
        #expect(names == StoreSchema.tenure.identifiers.dropLast().map { "\($0).sqlite" })
    }
}
