import Foundation
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

@testable import TenurePostgres

/// Two unrelated servers, each with a database of the same name, in one URL.
private struct TwoHosts {
    let first: PostgresServer
    let second: PostgresServer
    let name = "store"

    init() throws {
        first = try PostgresServer(["-c", "fsync=off"])
        second = try PostgresServer(["-c", "fsync=off"])
        for host in [first, second] { try host.sql("CREATE DATABASE \(name)", in: "postgres") }
    }

    var url: String { "postgres://tenure@/\(name)?host=\(first.folder),\(second.folder)" }

    func url(of host: PostgresServer) -> String { "postgres://tenure@/\(name)?host=\(host.folder)" }

    /// Creates the tables on both hosts and saves a setting with the host's name in each.
    func fill() async throws {
        for (host, name) in [(first, "first"), (second, "second")] {
            let store = try await PostgresStore.open(.tenure, url: url(of: host), mode: .create)
            try await store.set(name)
            await store.close()
        }
    }

    func accept(_ rules: String, on host: PostgresServer) throws {
        let file = try URL(filePath: host.sql("SHOW hba_file", in: "postgres"))
        try Data("local postgres all trust\n\(rules)\n".utf8).write(to: file)
        try host.sql("SELECT pg_reload_conf()", in: "postgres")
    }

    func setReadOnly(_ isReadOnly: Bool, on host: PostgresServer) throws {
        let act = isReadOnly ? "SET default_transaction_read_only = on" : "RESET default_transaction_read_only"
        try host.sql("ALTER DATABASE \(name) \(act)", in: "postgres")
    }

    func endSessions(on host: PostgresServer, where condition: String) throws {
        try host.sql(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = '\(name)' AND application_name = 'tenure' AND \(condition)
            """, in: "postgres")
    }
}

@Suite struct `A URL with several hosts` {
    @Test(arguments: ["local all all reject", "local all all scram-sha-256", "local all nobody trust"])
    func `if the first host refuses the connection, the store opens on the second host`(rules: String) async throws {
        let hosts = try TwoHosts()
        try await hosts.fill()
        try hosts.accept(rules, on: hosts.first)
        let store = try await PostgresStore.open(.tenure, url: hosts.url)
        try await store.set("found")
        #expect(try await store.setting("second") == [1])
        await store.close()
    }

    @Test func `an error about a missing writable host names the fault of each host`() async throws {
        let hosts = try TwoHosts()
        try await hosts.fill()
        try hosts.setReadOnly(true, on: hosts.first)
        try hosts.accept("local all all reject", on: hosts.second)
        let error = await #expect(throws: StoreError.self) {
            try await PostgresStore.open(.tenure, url: hosts.url)
        }
        let message = try #require(error?.message)
        #expect(message.contains("\(hosts.first.folder):5432 isn't a standby, but default_transaction_read_only is on"))
        #expect(message.contains("\(hosts.second.folder):5432 refuses connections from here as this user"))
        #expect(!message.lowercased().contains("promote"))
        try hosts.second.stop()
        let refused = await #expect(throws: StoreError.self) {
            try await PostgresStore.open(.tenure, url: hosts.url)
        }
        #expect(refused?.code == .readOnly)
        #expect(refused?.message.contains("\(hosts.second.folder):5432 cannot be reached") == true)
    }

    @Test
    func `if the connection for changes moves to another host, the connections for reads move too`() async throws {
        let hosts = try TwoHosts()
        try await hosts.fill()
        try hosts.setReadOnly(true, on: hosts.first)
        let store = try await PostgresStore.open(.tenure, url: hosts.url)
        try await store.set("before")
        #expect(try await store.setting("second") == [1])
        #expect(await store.lead(.expirySweep) != nil)
        // Only the session for changes has to connect again, and finds the first host writable.
        try hosts.setReadOnly(false, on: hosts.first)
        try hosts.endSessions(on: hosts.second, where: "query LIKE '%COMMIT%'")
        try await waitUntil { (try? await store.set("after")) != nil }
        #expect(try await store.setting("first") == [1])
        #expect(try await store.setting("second") == nil)
        #expect(try await store.all(SettingRecord.table.all).contains { $0.name == "first" })
        #expect(await store.lead(.expirySweep) != nil)
        let locks = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"
        try await waitUntil { try hosts.second.sql(locks, in: "postgres") == "0" }
        #expect(try hosts.first.sql(locks, in: "postgres") == "1")
        await store.close()
    }

    @Test func `the wait of a commit for a missing standby is canceled on the commit's own host`() async throws {
        let hosts = try TwoHosts()
        try await hosts.fill()
        try hosts.setReadOnly(true, on: hosts.first)
        let store = try await PostgresStore.open(
            .tenure, url: hosts.url, limits: PostgresStore.Limits(statementTimeout: .milliseconds(500)))
        try await store.set("before")
        try hosts.setReadOnly(false, on: hosts.first)
        try hosts.second.sql("ALTER SYSTEM SET synchronous_standby_names = 'nobody'", in: "postgres")
        try hosts.second.sql("SELECT pg_reload_conf()", in: "postgres")
        try await waitUntil {
            try hosts.second.sql("SHOW synchronous_standby_names", in: "postgres") == "nobody"
        }
        let error = await #expect(throws: StoreError.self) { try await store.set("unconfirmed") }
        #expect(error?.code == .unconfirmed)
        #expect(error?.message.contains("none is connected") == true)
        let waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
        #expect(try hosts.second.sql(waiting, in: "postgres") == "0")
        await store.close()
    }

    @Test(
        arguments: [
            (["standby", "standby"], "Only if the primary is lost, fence it, and then promote"),
            (["standby", "timeout expired"], "Look at db2:5432 first. Only if it's lost, fence it, and then promote"),
            (["Connection refused", "standby"], "Look at db1:5432 first. Only if it's lost, fence it"),
            (["standby", "certificate verify failed"], "Don't promote a standby while db2:5432 may be the primary."),
            (["standby", "pg_hba.conf rejects connection"], "Don't promote a standby while db2:5432"),
            (["standby", ConnectionFault.isReadOnlyPrimary], "turn the setting off"),
        ])
    func `an error advises promoting a standby only if every other host is lost`(causes: [String], cure: String) throws
    {
        let address = try Address("postgres://x@db1,db2/x", allowingPassword: false)
        let failures = causes.enumerated().map { number, cause in
            let cause = cause == "standby" ? ConnectionFault.isStandby : cause
            return HostFailure(
                label: "db\(number + 1):5432", error: .unconnected(address, cause: cause), address: address)
        }
        let message = StoreError.noWritableHost(address.position, failures).message
        #expect(message.contains(cure), "\(message)")
        for (number, cause) in causes.enumerated() where cause == "standby" {
            #expect(message.contains("db\(number + 1):5432 is a standby"))
        }
    }
}
