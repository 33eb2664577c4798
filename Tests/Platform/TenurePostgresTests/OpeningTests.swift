import TenurePostgres
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

@Suite struct `Opening a database` {
    let server: PostgresServer
    let url: String

    init() throws {
        server = try PostgresServer.shared.get()
        url = try server.makeDatabase()
    }

    @Test func `without Tenure's tables it is refused, and not touched`() async throws {
        let error = await #expect(throws: StoreError.self) { try await PostgresStore.open(.tenure, url: url) }
        #expect(error?.code == .missing)
        #expect(try server.sql("SELECT count(*) FROM pg_class WHERE relname = 'licenses'", in: url) == "0")
    }

    @Test func `many that begin it at once all succeed`() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<6 {
                group.addTask { [url] in
                    let store = try await PostgresStore.open(.tenure, url: url, mode: .create)
                    try await store.set("\(number)")
                    await store.close()
                }
            }
            try await group.waitForAll()
        }
        #expect(try server.sql("SELECT count(*) FROM settings", in: url) == "6")
        #expect(
            try server.sql("SELECT count(*) FROM tenure_migrations", in: url)
                == "\(StoreSchema.tenure.identifiers.count)")
    }

    @Test func `a newer schema is refused with the migration's name`() async throws {
        await (try PostgresStore.open(.tenure, url: url, mode: .create)).close()
        try server.sql("INSERT INTO tenure_migrations VALUES ('9999-from-the-future', 0)", in: url)
        for mode in [PostgresStore.Mode.create, .existing] {
            let error = await #expect(throws: StoreError.self) {
                try await PostgresStore.open(.tenure, url: url, mode: mode)
            }
            #expect(error?.code == .newerSchema)
            #expect(error?.message.contains("9999-from-the-future") == true)
        }
    }

    @Test func `another program's tables are refused, and not touched`() async throws {
        try server.sql("CREATE TABLE licenses (plate text)", in: url)
        let error = await #expect(throws: StoreError.self) {
            try await PostgresStore.open(.tenure, url: url, mode: .create)
        }
        #expect(error?.code == .foreign)
        #expect(try server.sql("SELECT to_regclass('tenure_migrations') IS NULL", in: url) == "t")
    }

    @Test func `a database that is not UTF-8 is refused`() async throws {
        let name = "latin\(UInt32.random(in: 0 ... .max))"
        try server.sql("CREATE DATABASE \(name) ENCODING 'LATIN1' TEMPLATE template0", in: url)
        let error = await #expect(throws: StoreError.self) {
            try await PostgresStore.open(
                .tenure, url: "postgres://tenure@/\(name)?host=\(server.folder)", mode: .create)
        }
        #expect(error?.code == .foreign)
    }

    @Test(arguments: [
        "postgres://tenure:secret@/db?host=/nowhere", "postgres://tenure@/db?host=/nowhere&password=secret",
    ])
    func `a password in the URL is refused unless it came from a file`(_ url: String) async throws {
        let error = await #expect(throws: StoreError.self) { try await PostgresStore.open(.tenure, url: url) }
        #expect(error?.code == .permission)
        #expect(error?.description.contains("secret") == false)
        let later = await #expect(throws: StoreError.self) {
            try await PostgresStore.open(.tenure, url: url, allowingPassword: true)
        }
        #expect(later?.code == .unavailable)
        #expect(later?.description.contains("secret") == false)
    }

    @Test func `a session works by what the store promises`() async throws {
        let store = try await PostgresStore.open(.tenure, url: url, mode: .create)
        try await store.set("a")
        let names = try server.sql(
            "SELECT DISTINCT application_name FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
            in: url)
        #expect(names == "tenure")
        await store.close()
        // A session ends shortly after its connection closes.
        try await waitUntil {
            try server.sql(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'tenure'",
                in: url) == "0"
        }
    }
}

/// Repeats a condition until it holds. Throws after 60 seconds.
func waitUntil(_ condition: () async throws -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while try await !condition() {
        guard ContinuousClock.now < deadline else { throw PostgresServer.Failure(description: "waited in vain") }
        try await Task.sleep(for: .milliseconds(20))
    }
}
