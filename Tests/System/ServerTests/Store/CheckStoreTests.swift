import Foundation
import TenureCore
import TenureHTTP
import TenureSQLite
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

@Suite struct CheckStoreTests {
    @Test func `a server with a damaged table stays ready and reports the table until it is repaired`() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "check-\(UUID().uuidString).sqlite").path
        defer { for ending in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + ending) } }
        let clock = ManualClock(at: Timestamp(seconds: 1_800_000_000))
        let master = try MasterKey(bytes: [UInt8](repeating: 7, count: 32))
        let whole = try SQLiteStore.open(.tenure, path: path, mode: .readWriteCreate)
        try await ApplyCatalog(.tenure, store: whole, master: master, clock: clock).apply(
            try FeatureSet.tenure.catalogFile(parsing: Array(Vendor.catalog.utf8)), by: .operator("test")
        ) { _, _ in }
        await whole.close()
        let sound = try Data(contentsOf: URL(filePath: path))
        let digest = Data(Digest.sha256(of: "NOTE-PRO0-0000-0001").bytes)
        var damaged = sound
        let location = try #require(damaged.range(of: digest)).lowerBound
        damaged[location + 9] ^= 16

        try damaged.write(to: URL(filePath: path))
        let result = try await check(path, master, clock)
        #expect(result.lines.map(\.event).contains("store_damaged"))
        #expect(result.ready.contains(#""damaged":["licenses"]"#), "\(result.ready)")

        try sound.write(to: URL(filePath: path))
        let fine = try await check(path, master, clock)
        #expect(!fine.lines.map(\.event).contains("store_damaged") && !fine.ready.contains("damaged"))
    }

    @Test func `a table whose check fails doesn't prevent the checks of other tables`()
        async throws
    {
        let vendor = try await Vendor()
        let odd = OddStore(
            inner: vendor.store,
            check: { table throws(StoreError) in
                switch table?.name {
                case "licenses": throw StoreError(.busy, "It took too long.")
                case "events": throw StoreError(.corrupt, "It is damaged.")
                default: return []
                }
            })
        let log = RecordedLog()
        let server = try await LicenseServer(
            .tenure, store: odd, master: vendor.master, clock: vendor.clock, log: log,
            facts: ServerFacts(version: "test"),
            stopwatch: { 0 })
        let service = try #require(server.services.first { $0.name == "store_check" })
        var failed = 0
        for _ in StoreSchema.tenure.tables {
            do { _ = try await service.turn(as: nil) } catch { failed += 1 }
        }
        #expect(failed == 1)
        #expect(log.lines.filter { $0.event == "store_damaged" }.count == 1)
        let ready = await server.handler.respond(to: Request(method: "GET", path: "/ready", id: "r1"))
        #expect(String(decoding: ready.body.bytes, as: UTF8.self).contains(#""damaged":["events"]"#))
    }

    private func check(
        _ path: String, _ master: MasterKey, _ clock: ManualClock
    ) async throws -> (lines: [LogLine], ready: String) {
        let log = RecordedLog()
        let store = try SQLiteStore.open(.tenure, path: path, mode: .existing)
        let server = try await LicenseServer(
            .tenure, store: store, master: master, clock: clock, log: log, facts: ServerFacts(version: "test"),
            stopwatch: { 0 })
        let service = try #require(server.services.first { $0.name == "store_check" })
        for _ in StoreSchema.tenure.tables {
            #expect(try await service.turn(as: nil) == .after(.seconds(3_600)))
        }
        let ready = await server.handler.respond(to: Request(method: "GET", path: "/ready", id: "r1"))
        #expect(ready.status == 200)
        await store.close()
        return (log.lines, String(decoding: ready.body.bytes, as: UTF8.self))
    }
}
