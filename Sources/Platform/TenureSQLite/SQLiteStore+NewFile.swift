package import TenureStore

extension SQLiteStore {
    /// Creates a database file of mode 0600 that the body fills; it gets its name once it's complete and on disk.
    ///
    /// Rethrows the body's error, and throws ``StoreError``, such as `.exists` if there is a file of that name. In both
    /// cases, no new file remains.
    package static func makeFile(
        _ path: String, of schema: StoreSchema, _ fill: (SQLiteStore) async throws -> Void
    ) async throws {
        if DatabaseFile.isThere(path) { throw DatabaseFile.exists(path) }
        let temporary = "\(path).part-\(UInt32.random(in: 0 ... .max))"
        let store = try SQLiteStore.open(schema, path: temporary)
        do {
            try await fill(store)
            await store.close()
            try DatabaseFile.sync(temporary)
            try DatabaseFile.rename(temporary, to: path)
        } catch {
            await store.close()
            for ending in ["", "-wal", "-shm"] { DatabaseFile.remove(temporary + ending) }
            throw error
        }
    }
}
