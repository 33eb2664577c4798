import Foundation
import TenurePostgres
import TenureTesting
import Testing

@Suite struct `The store's contract` {
    // A copy of a PostgreSQL store is made with the database's own means.
    @Test(arguments: StoreContract.cases.filter { !$0.claim.contains("backup") })
    func `is kept in PostgreSQL`(_ promise: StoreContract.Case) async throws {
        let server = try PostgresServer.shared.get()
        let folder = try TemporaryFolder()
        try await promise.run(
            StoreContract.Subject(
                folder: folder.path,
                makeEmpty: { try await PostgresStore.open(url: server.makeDatabase(), mode: .create) },
                openBackup: { path in try await PostgresStore.open(url: path) }))
    }
}
