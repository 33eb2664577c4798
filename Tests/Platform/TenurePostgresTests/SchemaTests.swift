import TenurePostgres
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

@Suite struct `The schema of a database` {
    @Test func `a new database has the declared schema, with an index for every key and set`() async throws {
        let server = try PostgresServer.shared.get()
        let store = try await PostgresStore.open(.tenure, url: server.makeDatabase(), mode: .create)
        let faults = try await store.schemaFaults(of: StoreSchema.tenure.tables, sets: StoreSchema.tenure.sets)
        #expect(faults == [])
        await store.close()
    }

    @Test func `a schema that differs from the declaration is reported`() async throws {
        let server = try PostgresServer.shared.get()
        let store = try await PostgresStore.open(.tenure, url: server.makeDatabase(), mode: .create)
        for (table, fault) in Misdeclared.tables {
            let faults = try await store.schemaFaults(of: [table], sets: [])
            #expect(faults.count == 1 && faults[0].contains(fault), "\(faults)")
        }
        let unserved = Misdeclared.unservedSet
        let faults = try await store.schemaFaults(of: [unserved.table], sets: [unserved])
        #expect(faults == ["settings.of_value has no index that begins with its columns"])
        await store.close()
    }
}
