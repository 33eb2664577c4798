import TenureCore
import TenureSQLite
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

@Suite struct `The schema of a SQLite store` {
    @Test func `a new store has the declared schema, with an index for every key and set`() async throws {
        let store = try SQLiteStore.inMemory(.tenure)
        let faults = try await store.schemaFaults(of: StoreSchema.tenure.tables, sets: StoreSchema.tenure.sets)
        #expect(faults == [])
        await store.close()
    }

    @Test func `a schema that differs from the declaration is reported`() async throws {
        let store = try SQLiteStore.inMemory(.tenure)
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
