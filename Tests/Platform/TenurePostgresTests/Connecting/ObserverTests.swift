import Synchronization
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

@testable import TenurePostgres

@Suite struct `The observer of a database's connections` {
    let server: PostgresServer
    let url: String

    init() throws {
        server = try PostgresServer.shared.get()
        url = try server.makeDatabase()
    }

    private static let refusal = StoreError(.rewound, "This is a former primary.")

    /// Records the purposes of the checked connections, and refuses chosen purposes.
    private final class Checks: Sendable {
        private struct State {
            var purposes: [NewConnection.Purpose] = []
            var refused: Set<NewConnection.Purpose> = []
        }
        private let state = Mutex(State())

        var purposes: [NewConnection.Purpose] { state.withLock { $0.purposes } }

        func refuse(_ purposes: Set<NewConnection.Purpose>) { state.withLock { $0.refused = purposes } }

        var observer: ConnectionObserver {
            ConnectionObserver(
                opened: { [self] connection throws(StoreError) in
                    let isRefused = state.withLock { state in
                        state.purposes.append(connection.purpose)
                        return state.refused.contains(connection.purpose)
                    }
                    if isRefused { throw refusal }
                    // Each connection for queries suspects that changes were lost.
                    if connection.purpose == .queries { connection.suspect() }
                }, appended: { _, _ in })
        }
    }

    @Test func `a connection observer checks each new connection, and its suspicion reopens the one for changes`()
        async throws
    {
        let checks = Checks()
        let store = try await PostgresStore.open(
            .tenure, url: url, mode: .create, limits: PostgresStore.Limits(lookups: 1, readers: 1),
            observer: checks.observer)
        #expect(checks.purposes == [.other], "before the schema is migrated")
        try await store.set("a")
        try await store.set("b")
        #expect(checks.purposes == [.other, .changes])
        _ = try await store.setting("a")
        try await store.set("c")
        try await store.set("d")
        #expect(checks.purposes == [.other, .changes, .queries, .changes])
        _ = await store.lead(.expirySweep)
        let snapshot = try await store.snapshot()
        await snapshot.end()
        #expect(checks.purposes.filter { $0 == .other }.count == 3)
        await store.close()
    }

    @Test func `a former primary is neither migrated nor read nor changed`() async throws {
        let checks = Checks()
        checks.refuse([.other])
        let error = await #expect(throws: StoreError.self) {
            try await PostgresStore.open(.tenure, url: url, mode: .create, observer: checks.observer)
        }
        #expect(error?.code == .rewound)
        #expect(try server.sql("SELECT to_regclass('tenure_migrations') IS NULL", in: url) == "t")
        checks.refuse([])
        let store = try await PostgresStore.open(.tenure, url: url, mode: .create, observer: checks.observer)
        try await store.set("a")
        _ = await store.lead(.expirySweep)
        checks.refuse([.changes, .queries, .other])
        try server.sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()",
            in: url)
        #expect(await store.lead(.expirySweep) == nil)
        for refused in [
            await #expect(throws: StoreError.self, performing: { try await store.set("b") }),
            await #expect(throws: StoreError.self, performing: { try await store.setting("a") }),
            await #expect(
                throws: StoreError.self,
                performing: { try await store.list(Listing(SettingRecord.table.all, limit: 1)) }),
        ] { #expect(refused?.code == .rewound) }
        await store.close()
    }

    @Test
    func `the connection observer of a newer schema reads settings before the database is migrated`() async throws {
        await (try PostgresStore.open(.tenure, url: url, mode: .create)).close()
        let values = Mutex<[String: [UInt8]]>([:])
        let observer = ConnectionObserver(
            opened: { connection throws(StoreError) in
                let table = LaterVersion.schema.tables.first { $0.name == "settings" }
                let found = try table.map { table throws(StoreError) in
                    try connection.values("value", table, ["a", "missing"])
                }
                values.withLock { $0 = found ?? [:] }
            }, appended: { _, _ in })
        try server.sql("INSERT INTO settings VALUES ('a', 'x')", in: url)
        await (try PostgresStore.open(LaterVersion.schema, url: url, observer: observer)).close()
        #expect(values.withLock { $0 } == ["a": Array("x".utf8)])
    }
}
