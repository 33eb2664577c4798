import Foundation
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

@testable import TenurePostgres

@Suite struct `Failures of the database` {
    let server: PostgresServer
    let url: String

    init() throws {
        server = try PostgresServer.shared.get()
        url = try server.makeDatabase()
    }

    @Test func `connections lost while idle are replaced without an error`() async throws {
        let store = try await PostgresStore.open(.tenure, url: url, mode: .create)
        try await store.set("before")
        #expect(try await store.catalogVersion() == 0)
        try endSessions()
        try await store.set("after")
        #expect(try await store.catalogVersion() == 0)
        #expect(try await store.setting("after") == [1])
        await store.close()
    }

    @Test
    func `if PostgreSQL ends a connection before the commit, the change is saved over a new connection`() async throws {
        let store = try await PostgresStore.open(.tenure, url: url, mode: .create)
        try await store.set("connected")
        let holder = try Holder(server, url, "BEGIN; SELECT pg_advisory_xact_lock(1414419794, 2)")
        async let saving: Void = store.set("saved")
        try await waitUntil { try waiting() == 1 }
        try endSessions(waiting: true)
        try await waitUntil { try waiting() == 1 }
        holder.letGo()
        try await saving
        #expect(try await store.setting("saved") == [1])
        await store.close()
    }

    @Test func `a change that waits too long for a lock is refused as busy`() async throws {
        let store = try await PostgresStore.open(
            .tenure,
            url: url, mode: .create, limits: PostgresStore.Limits(lockTimeout: .milliseconds(100)))
        let holder = try Holder(server, url, "BEGIN; SELECT pg_advisory_xact_lock(1414419794, 2)")
        let error = await #expect(throws: StoreError.self) { try await store.set("late") }
        #expect(error?.code == .busy)
        holder.letGo()
        try await store.set("later")
        #expect(try await store.setting("late") == nil)
        #expect(try await store.setting("later") == [1])
        await store.close()
    }

    @Test func `a statement that takes too long is refused as busy`() async throws {
        let store = try await PostgresStore.open(
            .tenure,
            url: url, mode: .create,
            limits: PostgresStore.Limits(statementTimeout: .milliseconds(100), listingTimeout: .milliseconds(100)))
        let holder = try Holder(server, url, "BEGIN; LOCK TABLE settings, catalog_version")
        for _ in 0..<2 {
            let error = await #expect(throws: StoreError.self) { try await store.setting("a") }
            #expect(error?.code == .busy)
        }
        let error = await #expect(throws: StoreError.self) { try await store.catalogVersion() }
        #expect(error?.code == .busy)
        holder.letGo()
        #expect(try await store.setting("a") == nil)
        await store.close()
    }

    @Test func `concurrent transactions that change two rows in opposite orders all succeed`() async throws {
        let stores = [
            try await PostgresStore.open(.tenure, url: url, mode: .create),
            try await PostgresStore.open(.tenure, url: url),
        ]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<60 {
                group.addTask {
                    let names = number.isMultiple(of: 2) ? ["a", "b"] : ["b", "a"]
                    let plan = SettingQueryPlan.two
                    try await stores[number % 2].perform(
                        Transaction(plan.bind(names)) { results in
                            TransactionResult(
                                (),
                                zip(names, plan.queries).map { name, query in
                                    .put(SettingRecord(name: name, value: [UInt8(number)]), over: results[query])
                                })
                        })
                }
            }
            try await group.waitForAll()
        }
        for store in stores { await store.close() }
    }

    @Test func `a database without a free connection is reported as unavailable`() async throws {
        let small = try PostgresServer([
            "-c", "fsync=off", "-c", "max_connections=4", "-c", "superuser_reserved_connections=0",
        ])
        let url = try small.makeDatabase()
        await (try PostgresStore.open(.tenure, url: url, mode: .create)).close()
        let holders = try await withThrowingTaskGroup(of: Holder.self) { group in
            for _ in 0..<4 { group.addTask { try Holder(small, url, "SELECT 1") } }
            return try await group.reduce(into: [Holder]()) { $0.append($1) }
        }
        let error = await #expect(throws: StoreError.self) { try await PostgresStore.open(.tenure, url: url) }
        #expect(error?.code == .unavailable)
        #expect(error?.message.contains("accepts no more connections") == true)
        for holder in holders { holder.letGo() }
    }

    @Test(arguments: [false, true])
    func `a PostgreSQL server that stops or crashes and starts again loses no acknowledged change`(crashing: Bool)
        async throws
    {
        let own = try PostgresServer([])
        let url = try own.makeDatabase()
        let store = try await PostgresStore.open(.tenure, url: url, mode: .create)
        let writers = Task {
            try await withThrowingTaskGroup(of: (saved: [String], refused: Int).self) { group in
                for writer in 0..<8 {
                    group.addTask {
                        var saved: [String] = []
                        var refused = 0
                        // Repeats until some changes have been refused and a later one has succeeded.
                        while refused == 0 || saved.last?.hasSuffix("after") != true {
                            let name = "\(writer) \(saved.count) \(refused == 0 ? "before" : "after")"
                            do throws(StoreError) {
                                try await store.set(name)
                                saved.append(name)
                            } catch {
                                #expect(error.code == .unavailable, "\(error)")
                                refused += 1
                                try await Task.sleep(for: .milliseconds(5))
                            }
                        }
                        return (saved, refused)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
        }
        try await waitUntil { (try? await store.setting("0 5 before")) != nil }
        try own.stop(crashing: crashing)
        let error = await #expect(throws: StoreError.self) { try await store.catalogVersion() }
        #expect(error?.code == .unavailable)
        try own.start()
        let results = try await writers.value
        for name in results.flatMap(\.saved) { #expect(try await store.setting(name) == [1], "\(name)") }
        await store.close()
    }

    @Test func `a commit whose wait for the standby is canceled isn't acknowledged`() async throws {
        let own = try PostgresServer(["-c", "fsync=off"])
        let url = try own.makeDatabase()
        let store = try await PostgresStore.open(
            .tenure, url: url, mode: .create, limits: PostgresStore.Limits(statementTimeout: .milliseconds(500)))
        try await store.set("alone")
        try own.sql("ALTER SYSTEM SET synchronous_standby_names = 'nobody'", in: url)
        try own.sql("SELECT pg_reload_conf()", in: url)
        try await waitUntil { try own.sql("SHOW synchronous_standby_names", in: url) == "nobody" }
        // After the statement timeout, the store cancels the wait from another session.
        let error = await #expect(throws: StoreError.self) { try await store.set("unconfirmed") }
        #expect(error?.code == .unconfirmed)
        #expect(error?.message.contains("may be lost in a failover") == true)
        // The change is visible, so a repeated request reads it. The repeated request isn't acknowledged either.
        let plan = SettingQueryPlan.plan
        let repeated = await #expect(throws: StoreError.self) {
            try await store.perform(
                Transaction(plan.bind("unconfirmed")) { results in TransactionResult(results[plan.queries] != nil) })
        }
        #expect(repeated?.code == .unconfirmed)
        #expect(try own.sql("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'", in: url) == "0")
        try own.sql("ALTER SYSTEM RESET synchronous_standby_names", in: url)
        try own.sql("SELECT pg_reload_conf()", in: url)
        try await store.set("confirmed")
        await store.close()
    }

    @Test(arguments: ["off", "local", "remote_write", "on", "remote_apply"])
    func `a connection has the store's timeouts and synchronous_commit at least on, whatever its role's setting`(
        level: String
    )
        async throws
    {
        let name = "r\(UInt32.random(in: 0 ... .max))"
        try server.sql("CREATE ROLE \(name) LOGIN SUPERUSER", in: url)
        try server.sql("ALTER ROLE \(name) SET synchronous_commit = \(level)", in: url)
        let own = url.replacing("postgres://tenure@", with: "postgres://\(name)@")
        let store = try await PostgresStore.open(.tenure, url: own, mode: .create)
        for (name, value) in [
            ("synchronous_commit", level == "remote_apply" ? "remote_apply" : "on"), ("lock_timeout", "5s"),
            ("idle_in_transaction_session_timeout", "5s"), ("statement_timeout", "1min"),
        ] {
            let setting = try await store.lists.run { connection in
                try connection.first(.setting, [.text(name)]) { row in try row.next(String.self) }
            }
            #expect(setting == value)
        }
        await store.close()
    }

    @Test func `a read-only database refuses changes until it is writable again`() async throws {
        let store = try await PostgresStore.open(.tenure, url: url, mode: .create)
        try await store.set("before")
        // Simulates a former primary behind a proxy: the session stays open, and each transaction is read-only.
        try server.sql("ALTER ROLE tenure IN DATABASE \(name) SET default_transaction_read_only = on", in: "postgres")
        try endSessions()
        for _ in 0..<2 {
            let error = await #expect(throws: StoreError.self) { try await store.set("refused") }
            #expect(error?.code == .readOnly)
            #expect(error?.message.contains("default_transaction_read_only is on") == true)
        }
        try server.sql("ALTER ROLE tenure IN DATABASE \(name) RESET ALL", in: "postgres")
        try await waitUntil { (try? await store.set("after")) != nil }
        #expect(try await store.setting("refused") == nil)
        await store.close()
    }

    @Test(.timeLimit(.minutes(1)))
    func `a read and a change on hanging connections are repeated over new connections`() async throws {
        let store = try await PostgresStore.open(
            .tenure, url: url, mode: .create,
            limits: PostgresStore.Limits(statementTimeout: .milliseconds(100), readers: 1))
        try await store.set("before")
        let sessions = try server.sql(
            """
            SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'tenure'
            """, in: url
        ).split(separator: "\n").compactMap { Int32($0) }
        for session in sessions { kill(session, SIGSTOP) }
        defer { for session in sessions { kill(session, SIGCONT) } }
        async let version = store.catalogVersion()
        // The read and the change are repeated on new connections.
        try await store.set("after")
        #expect(try await version == 0)
        #expect(try await store.setting("after") == [1])
        await store.close()
    }

    @Test func `a connection to a database that became read-only is replaced`() async throws {
        let own = try PostgresServer(["-c", "fsync=off"])
        let url = try own.makeDatabase()
        let store = try await PostgresStore.open(.tenure, url: url, mode: .create)
        try await store.set("before")
        try own.sql("ALTER SYSTEM SET default_transaction_read_only = on", in: url)
        try own.sql("SELECT pg_reload_conf()", in: url)
        // The first error comes from the session, the second one from a new connection, which may reach another server.
        try await waitUntil { await message(of: store).contains("has default_transaction_read_only set") }
        try await waitUntil { await message(of: store).contains("default_transaction_read_only is on") }
        try own.sql("ALTER SYSTEM RESET default_transaction_read_only", in: url)
        try own.sql("SELECT pg_reload_conf()", in: url)
        try await waitUntil { (try? await store.set("after")) != nil }
        await store.close()
    }

    private func message(of store: PostgresStore) async -> String {
        do throws(StoreError) {
            try await store.set("try")
            return ""
        } catch {
            return error.message
        }
    }

    /// Simulates a pooler that uses a session in which the prepared statement's name belongs to another statement.
    @Test(arguments: [
        "SELECT 7::bigint, 'a'::text, '\\x01'::bytea", "SELECT 0::bigint, 'a'::text, '\\x01'::bytea",
        "SELECT 1::bigint, 'a'::text, '\\x01'::bytea WHERE false", "SELECT NULL, NULL, NULL", "SELECT 1::bigint",
        "SELECT 'x'::text, 3.5, now()", "SELECT -9223372036854775808, 'a'::text, '\\x01'::bytea",
    ])
    func `database results that don't match their statement are errors`(wrong: String) async throws {
        let store = try await PostgresStore.open(.tenure, url: url, mode: .create)
        try await store.set("a")
        let error = await #expect(throws: StoreError.self) {
            try await store.lists.run { connection in
                let bound = SettingQueryPlan.plan.bind("a")
                _ = try connection.fetch([bound])
                guard let name = connection.texts.fetch(bound.plan)?.sql.name else { return }
                try connection.execute(SQL(text: "DEALLOCATE \(name)", isKept: false))
                let replaced = "PREPARE \(name) (text[]) AS SELECT * FROM (\(wrong)) t WHERE $1 IS NOT NULL"
                try connection.execute(SQL(text: replaced, isKept: false))
                _ = try connection.fetch([bound])
            }
        }
        #expect(error?.code == .failed || error?.code == .corrupt)
        await store.close()
    }

    private var name: Substring { url.split(separator: "/")[2].split(separator: "?")[0] }

    /// Terminates the store's sessions: all of them, or only those that wait for a lock.
    private func endSessions(waiting: Bool = false) throws {
        try server.sql(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()
            AND application_name = 'tenure' \(waiting ? "AND wait_event_type = 'Lock'" : "")
            """, in: url)
    }

    private func waiting() throws -> Int {
        Int(
            try server.sql(
                """
                SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
                AND application_name = 'tenure' AND wait_event_type = 'Lock'
                """, in: url)) ?? -1
    }
}

extension SQL {
    fileprivate static let setting = SQL("SELECT current_setting($1)")
}
