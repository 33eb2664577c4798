import TenureSQLite
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

@Suite struct `A file that several processes share` {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `two stores write to one file concurrently without losing changes`() async throws {
        let path = folder.file()
        let stores = [try SQLiteStore.open(.tenure, path: path), try SQLiteStore.open(.tenure, path: path)]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask { try await stores[number % 2].set("\(number)") }
            }
            try await group.waitForAll()
        }
        for number in 0..<200 { #expect(try await stores[(number + 1) % 2].setting("\(number)") == [1]) }
        for store in stores { await store.close() }
    }

    @Test func `a change is saved after another process has released its write lock`() async throws {
        let store = try SQLiteStore.open(.tenure, path: folder.file())
        let holder = try LockHolder(folder.file())
        async let saving: Void = store.set("waited")
        holder.letGo()
        try await saving
        #expect(try await store.setting("waited") == [1])
        await store.close()
    }

    @Test func `a change that waits too long is refused as busy, and a later change is saved`() async throws {
        let store = try SQLiteStore.open(.tenure, path: folder.file())
        let holder = try LockHolder(folder.file())
        let error = await #expect(throws: StoreError.self) { try await store.set("late") }
        #expect(error?.code == .busy)
        #expect(error?.isTransient == true)
        #expect(try await store.setting("late") == nil)
        holder.letGo()
        try await store.set("later")
        #expect(try await store.setting("later") == [1])
        await store.close()
    }

    @Test func `a store reads the catalog version that another process has raised`()
        async throws
    {
        let store = try SQLiteStore.open(.tenure, path: folder.file())
        #expect(try await store.catalogVersion() == 0)
        _ = try sqlite(folder.file(), "UPDATE catalog_version SET version = version + 1")
        #expect(try await store.catalogVersion() == 1)
        await store.close()
    }
}
