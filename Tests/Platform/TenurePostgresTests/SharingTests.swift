import TenureCore
import TenurePostgres
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

@Suite struct `A database that several servers share` {
    let server: PostgresServer
    let url: String

    init() throws {
        server = try PostgresServer.shared.get()
        url = try server.makeDatabase()
    }

    @Test func `one store holds a leader role, and another one gets it when the first is closed`() async throws {
        let first = try await PostgresStore.open(.tenure, url: url, mode: .create)
        let second = try await PostgresStore.open(.tenure, url: url)
        #expect(await first.lead(.expirySweep)?.term == 1)
        #expect(await second.lead(.expirySweep) == nil)
        #expect(await first.lead(.expirySweep)?.term == 1)
        await first.close()
        try await waitUntil { await second.lead(.expirySweep)?.term == 2 }
        await second.close()
    }

    @Test func `a store whose database connection was terminated no longer holds its leader role`() async throws {
        let first = try await PostgresStore.open(.tenure, url: url, mode: .create)
        let second = try await PostgresStore.open(.tenure, url: url)
        let lead = try #require(await first.lead(.expirySweep))
        #expect(try await isLed(by: lead, in: first))
        try server.sql(
            """
            SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid = 16
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
            """, in: url)
        try await waitUntil { await second.lead(.expirySweep)?.term == 2 }
        // The store no longer records the former leader's term, even before that leader requests the lead again.
        #expect(try await !isLed(by: lead, in: first))
        #expect(await first.lead(.expirySweep) == nil)
        await second.close()
        try await waitUntil { await first.lead(.expirySweep)?.term == 3 }
        #expect(try await !isLed(by: lead, in: first))
        for store in [first, second] { await store.close() }
    }

    /// Returns whether the store still records the leader's term, so that a change by the leader would be saved.
    private func isLed(by lead: LeaderTerm, in store: PostgresStore) async throws -> Bool {
        let plan = LeaderQueryPlan.plan
        return try await store.perform(
            Transaction(plan.bind(lead.role)) { results in TransactionResult(results[plan.queries] == lead) })
    }

    @Test func `a missing setting that two stores write concurrently is written once`() async throws {
        let stores = [
            try await PostgresStore.open(.tenure, url: url, mode: .create),
            try await PostgresStore.open(.tenure, url: url),
        ]
        let kept = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for number in 0..<20 {
                group.addTask {
                    let plan = SettingQueryPlan.plan
                    return try await stores[number % 2].perform(
                        Transaction(plan.bind("s")) { results in
                            if let earlier = results[plan.queries] { return TransactionResult(earlier.value) }
                            return TransactionResult(
                                [UInt8(number)], [.insert(SettingRecord(name: "s", value: [UInt8(number)]))])
                        })
                }
            }
            return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
        }
        #expect(kept.count == 1)
        for store in stores { await store.close() }
    }
}
