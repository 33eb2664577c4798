import Foundation
import Synchronization
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

@testable import TenurePostgres

@Suite struct `Opening a database` {
    let server: PostgresServer
    let url: String

    init() throws {
        server = try PostgresServer.shared.get()
        url = try server.makeDatabase()
    }

    @Test func `a database without Tenure's tables is refused and stays unchanged`() async throws {
        let error = await #expect(throws: StoreError.self) { try await PostgresStore.open(.tenure, url: url) }
        #expect(error?.code == .missing)
        #expect(try server.sql("SELECT count(*) FROM pg_class WHERE relname = 'licenses'", in: url) == "0")
    }

    @Test func `six stores can create the tables of one database concurrently`() async throws {
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

    @Test func `a database with a newer version's migration is refused with that migration's name`() async throws {
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

    @Test func `a database with another program's tables is refused and stays unchanged`() async throws {
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
    func `a password in a database URL is refused unless the caller allows one, and errors omit the password`(
        _ url: String
    ) async throws {
        let error = await #expect(throws: StoreError.self) { try await PostgresStore.open(.tenure, url: url) }
        #expect(error?.code == .permission)
        #expect(error?.description.contains("secret") == false)
        let later = await #expect(throws: StoreError.self) {
            try await PostgresStore.open(.tenure, url: url, allowingPassword: true)
        }
        #expect(later?.code == .unavailable)
        #expect(later?.description.contains("secret") == false)
    }

    @Test func `a role that may not create tables gets an error that says so`() async throws {
        try server.sql("REVOKE ALL ON SCHEMA public FROM PUBLIC", in: url)
        let role = try makeRole()
        let error = await #expect(throws: StoreError.self) {
            try await PostgresStore.open(.tenure, url: role, mode: .create)
        }
        #expect(error?.code == .permission)
        #expect(error?.message.contains("no schema in which this user may create tables") == true)
    }

    @Test func `a role's own schema and string settings don't affect where tables are found`() async throws {
        try server.sql("GRANT ALL ON SCHEMA public TO PUBLIC", in: url)
        let role = try makeRole()
        await (try PostgresStore.open(.tenure, url: role, mode: .create)).close()
        let name = role.split(separator: "/")[1].split(separator: "@")[0]
        try server.sql("CREATE SCHEMA AUTHORIZATION \(name)", in: url)
        try server.sql("ALTER ROLE \(name) SET standard_conforming_strings = off", in: url)
        let store = try await PostgresStore.open(.tenure, url: role)
        #expect(try await store.schemaFaults(of: .tenure).isEmpty)
        try await store.set("a")
        #expect(try server.sql("SELECT count(*) FROM public.settings", in: url) == "1")
        await store.close()
    }

    @Test func `a database's password is read again when the database refuses the old one`() async throws {
        let own = try PostgresServer([])
        let url = try own.makeDatabase()
        try own.sql("CREATE ROLE shop LOGIN SUPERUSER PASSWORD 'first'", in: url)
        let rules = "local all shop scram-sha-256\nlocal all all trust\n"
        try Data(rules.utf8).write(to: URL(filePath: own.folder + "/data/pg_hba.conf"))
        try own.sql("SELECT pg_reload_conf()", in: url)
        let password = Mutex("first")
        let store = try await PostgresStore.open(
            .tenure, url: url.replacing("tenure@", with: "shop:first@"), mode: .create, allowingPassword: true
        ) { url.replacing("tenure@", with: "shop:\(password.withLock { $0 })@") }
        try await store.set("before")
        try own.sql("ALTER ROLE shop PASSWORD 'second'", in: url)
        password.withLock { $0 = "second" }
        try own.sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tenure'", in: url)
        try await store.set("after")
        #expect(try await store.setting("after") == [1])
        let error = await #expect(throws: StoreError.self) {
            try await PostgresStore.open(
                .tenure, url: url.replacing("tenure@", with: "shop:first@"), allowingPassword: true)
        }
        #expect(error?.message.contains("refuses the password") == true)
        #expect(error?.isConnectionRefusedForGood == true)
        await store.close()
    }

    @Test(arguments: [
        (#"connection to server at "db" (::1), port 5432 failed: FATAL:  database "x" does not exist"#, true),
        (#"FATAL:  role "x" is not permitted to log in"#, true),
        (#"FATAL:  no pg_hba.conf entry for host "1.2.3.4", user "x", database "y", no encryption"#, true),
        (#"FATAL:  permission denied for database "x""#, true), ("SSL error: certificate verify failed", true),
        (#"root certificate file "/etc/x.pem" does not exist"#, true),
        ("server does not support SSL, but SSL was required", true), ("FATAL:  sorry, too many clients already", false),
        (#"FATAL:  too many connections for role "x""#, false), ("session is read-only", false),
        ("Connection refused\n\tIs the server running on that host?", false),
        ("FATAL:  the database system is starting up", false), ("timeout expired", false),
        ("SSL SYSCALL error: EOF detected", false), ("SSL error: unexpected eof while reading", false),
        (#"Connection refused; connection to server at "b", port 5432 failed: FATAL:  no pg_hba.conf entry"#, false),
        ("server closed the connection unexpectedly", false),
        (#"could not translate host name "x" to address: Name or service not known"#, false),
    ])
    func `a connection fault is classified as temporary or permanent by libpq's message`(
        words: String, staysUntilMended: Bool
    ) throws {
        let address = try Address("postgres://x@db/x", allowingPassword: false)
        #expect(StoreError.unconnected(address, cause: words).isConnectionRefusedForGood == staysUntilMended)
    }

    /// Creates a role without rights and returns the database's URL for it.
    private func makeRole() throws -> String {
        let name = "r\(UInt32.random(in: 0 ... .max))"
        try server.sql("CREATE ROLE \(name) LOGIN", in: url)
        return url.replacing("tenure@", with: "\(name)@")
    }

    @Test func `a database session is named tenure and ends when its store is closed`() async throws {
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

/// Checks a condition every 20 ms until it's true. Throws after 60 seconds.
func waitUntil(_ condition: () async throws -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while try await !condition() {
        guard ContinuousClock.now < deadline else { throw PostgresServer.Failure(description: "waited in vain") }
        try await Task.sleep(for: .milliseconds(20))
    }
}
