import TenurePostgres
import TenureSQLite
import TenureServerKit
import TenureStore

extension StoreEngines {
    /// The engines of the program, with the schema of all its features.
    static let tenure = StoreEngines(
        sqlite: { path, creating throws(StoreError) in
            try SQLiteStore.open(.tenure, path: path, mode: creating ? .readWriteCreate : .existing)
        },
        postgres: { url, creating, allowingPassword async throws(StoreError) in
            try await PostgresStore.open(
                .tenure, url: url, mode: creating ? .create : .existing, allowingPassword: allowingPassword)
        },
        inMemory: { () throws(StoreError) in try SQLiteStore.inMemory(.tenure) },
        identity: { url throws(StoreError) in try PostgresStore.identity(ofDatabaseAt: url) })
}
