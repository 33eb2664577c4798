import TenurePostgres
import TenureSQLite
import TenureServerKit
import TenureStore

extension StoreEngines {
    /// The database engines that the program supports, with the schema of all its features.
    static let tenure = StoreEngines(
        schema: .tenure,
        sqlite: { path, creating throws(StoreError) in
            try SQLiteStore.open(.tenure, path: path, mode: creating ? .readWriteCreate : .existing)
        },
        postgres: { url, creating, file, observer async throws(StoreError) in
            try await PostgresStore.open(
                .tenure, url: url, mode: creating ? .create : .existing, allowingPassword: file != nil,
                observer: observer
            ) { file.flatMap { try? StoreLocation.read($0) } }
        },
        openForReading: { url async throws(StoreError) in
            try await PostgresStore.open(.tenure, url: url, mode: .reading)
        },
        inMemory: { () throws(StoreError) in try SQLiteStore.inMemory(.tenure) },
        identity: { url throws(StoreError) in try PostgresStore.identity(ofDatabaseAt: url) },
        files: StoreEngines.Files(
            make: { path, fill in try await SQLiteStore.makeFile(path, of: .tenure) { file in try await fill(file) } },
            copy: { path, copy throws(StoreError) in try SQLiteStore.copyFile(path, to: copy, under: .tenure) },
            isBehind: { path throws(StoreError) in try SQLiteStore.isBehind(.tenure, path: path) },
            replace: { path, new, aside throws(StoreError) in
                try SQLiteStore.replaceFile(path, by: new, keeping: aside)
            },
            remove: { path in SQLiteStore.removeFile(path) }),
        faults: { store async throws(StoreError) in try await FeatureSet.tenure.faults(in: store) })
}
