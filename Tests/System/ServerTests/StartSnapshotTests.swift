import Synchronization
import TenureCore
import TenureCrypto
import TenureHTTP
import TenureSQLite
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

/// How a server that starts while its store is unavailable responds, in one process.
///
/// `Tests/System/Servers/test_start_without_database.py` tests the same with PostgreSQL.
@Suite struct StartSnapshotTests {
    /// Stores the sealed bytes in memory in place of a disk.
    private final class Disk: Sendable {
        private let held = Mutex<[UInt8]?>(nil)
        var bytes: [UInt8]? { held.withLock { $0 } }
        func put(_ bytes: [UInt8]?) { held.withLock { $0 = bytes } }
    }

    private let disk = Disk()
    private let away = StoreError(.unavailable, "The database is away.")

    private func snapshot(of database: String = "one", under master: MasterKey) -> StartSnapshot {
        let disk = disk
        return StartSnapshot(of: database, under: master, load: { disk.bytes }, save: { bytes in disk.put(bytes) })
    }

    private func server(
        _ store: any Store, under vendor: Vendor, snapshot: StartSnapshot?, isAway: Bool
    ) async throws -> LicenseServer {
        try await LicenseServer(
            .tenure, store: store, master: vendor.master, clock: vendor.clock, log: vendor.log,
            facts: ServerFacts(version: "test"), stopwatch: { 0 }, snapshot: snapshot, isAway: isAway)
    }

    private func keep(_ vendor: Vendor) async throws {
        try await vendor.save([.insert(StoreID.fresh())])
        let running = try await server(
            vendor.store, under: vendor, snapshot: snapshot(under: vendor.master), isAway: false)
        let service = try #require(running.services.first { $0.name == "start_snapshot" })
        _ = try await service.turn(as: nil)
    }

    private func get(_ path: String, _ server: LicenseServer) async -> Response {
        await server.handler.respond(to: Request(method: "GET", path: path, id: "r1"))
    }

    private let keyset = "/acme/.well-known/keylight-keys"

    @Test func `a server with a start snapshot serves keysets before its store is connected`() async throws {
        let vendor = try await Vendor()
        try await keep(vendor)
        let published = await vendor.text(keyset)
        let store = ConnectingStore(waitingFor: away)
        let server = try await server(
            store, under: vendor, snapshot: snapshot(under: vendor.master), isAway: true)
        let stored = await get(keyset, server)
        #expect(stored.status == 200 && String(decoding: stored.body.bytes, as: UTF8.self) == published)
        #expect(await get("/health", server).status == 200)
        #expect(await get("/ready", server).status == 503)
        for path in ["/acme/notes/config", "/nobody/.well-known/keylight-keys", "/only/the/catalog/knows"] {
            let answer = await get(path, server)
            #expect(answer.status == 503 && answer.headers["Retry-After"] != nil, "\(path)")
        }
        store.connect(to: vendor.store)
        #expect(await get("/ready", server).status == 200)
        #expect(await get("/acme/notes/config", server).status == 200)
        #expect(await get("/only/the/catalog/knows", server).status == 404)
        #expect(String(decoding: await get(keyset, server).body.bytes, as: UTF8.self) == published)
    }

    @Test func `a server without a start snapshot responds only to health checks before its store is connected`()
        async throws
    {
        let vendor = try await Vendor()
        let store = ConnectingStore(waitingFor: away)
        let server = try await server(
            store, under: vendor, snapshot: snapshot(under: vendor.master), isAway: true)
        #expect(await get("/health", server).status == 200)
        #expect(await get(keyset, server).status == 503)
        for service in server.services {
            #expect(try await service.turn(as: nil) == .after(.seconds(1)), "\(service.name)")
        }
    }

    @Test func `a running server that loses its store still serves keysets`() async throws {
        let vendor = try await Vendor()
        let store = ConnectingStore(waitingFor: away)
        let server = try await server(store, under: vendor, snapshot: nil, isAway: true)
        store.connect(to: vendor.store)
        #expect(await get(keyset, server).status == 200)
        store.connect(to: ConnectingStore(waitingFor: away))
        #expect(await get(keyset, server).status == 200)
        #expect(await get("/acme/notes/config", server).status == 503)
    }

    @Test func `a start snapshot of another database or master key, or a damaged one, isn't opened`() async throws {
        let vendor = try await Vendor()
        try await keep(vendor)
        let other = try MasterKey(bytes: [UInt8](repeating: 8, count: 32))
        #expect(snapshot(under: vendor.master).open() != nil)
        #expect(snapshot(of: "two", under: vendor.master).open() == nil)
        #expect(snapshot(under: other).open() == nil)
        let whole = try #require(disk.bytes)
        for location in [0, whole.count / 2, whole.count - 1] {
            var damaged = whole
            damaged[location] ^= 1
            disk.put(damaged)
            #expect(snapshot(under: vendor.master).open() == nil)
        }
        disk.put(Array(whole.dropLast()))
        #expect(snapshot(under: vendor.master).open() == nil)
    }

    @Test func `the start snapshot of a replaced store is removed`() async throws {
        let vendor = try await Vendor()
        try await keep(vendor)
        let own = try #require(try await vendor.store.setting(StoreID.setting))
        snapshot(under: vendor.master).removeIfMade(ofOtherThan: own)
        #expect(disk.bytes != nil)
        snapshot(under: vendor.master).removeIfMade(ofOtherThan: StoreID.fresh().value)
        #expect(disk.bytes == nil)
    }
}
