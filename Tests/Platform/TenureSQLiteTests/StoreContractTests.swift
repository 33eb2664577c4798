import Foundation
import TenureSQLite
import TenureServerKit
import TenureTesting
import Testing

@Suite struct `The store's contract` {
    @Test(arguments: StoreContract.cases)
    func `a SQLite store in a file fulfills the contract of all stores`(_ promise: StoreContract.Case) async throws {
        let folder = try TemporaryFolder()
        try await promise.run(
            StoreContract.Subject(
                folder: folder.path,
                makeEmpty: { try SQLiteStore.open(.tenure, path: folder.file("\(UUID()).db")) },
                makeShared: {
                    let path = folder.file("\(UUID()).db")
                    return [try SQLiteStore.open(.tenure, path: path), try SQLiteStore.open(.tenure, path: path)]
                },
                openBackup: { path in try SQLiteStore.open(.tenure, path: path, mode: .existing) }))
    }

    @Test(arguments: StoreContract.cases)
    func `a SQLite store in memory fulfills the contract of all stores`(_ promise: StoreContract.Case) async throws {
        let folder = try TemporaryFolder()
        try await promise.run(
            StoreContract.Subject(
                folder: folder.path,
                makeEmpty: { try SQLiteStore.inMemory(.tenure) },
                makeShared: { [try SQLiteStore.inMemory(.tenure)] },
                openBackup: { path in try SQLiteStore.open(.tenure, path: path, mode: .existing) }))
    }
}
