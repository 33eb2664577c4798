import Foundation
import TenureSQLite
import TenureTesting
import Testing

@Suite struct `The store's contract` {
    @Test(arguments: StoreContract.cases)
    func `is kept in a file`(_ promise: StoreContract.Case) async throws {
        let folder = try TemporaryFolder()
        try await promise.run(
            StoreContract.Subject(
                folder: folder.path,
                makeEmpty: { try SQLiteStore.open(path: folder.file("\(UUID()).db")) },
                makeShared: {
                    let path = folder.file("\(UUID()).db")
                    return [try SQLiteStore.open(path: path), try SQLiteStore.open(path: path)]
                },
                openBackup: { path in try SQLiteStore.open(path: path, mode: .existing) }))
    }

    @Test(arguments: StoreContract.cases)
    func `is kept in memory`(_ promise: StoreContract.Case) async throws {
        let folder = try TemporaryFolder()
        try await promise.run(
            StoreContract.Subject(
                folder: folder.path,
                makeEmpty: { try SQLiteStore.inMemory() },
                makeShared: { [try SQLiteStore.inMemory()] },
                openBackup: { path in try SQLiteStore.open(path: path, mode: .existing) }))
    }
}
