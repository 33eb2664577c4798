import Foundation
import TenurePostgres
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

@Suite struct `The store's contract` {
    // Backups to a file are specific to SQLite. The command line copies a PostgreSQL snapshot into a file.
    @Test(arguments: StoreContract.cases.filter { !$0.claim.contains("backup") })
    func `a store on PostgreSQL fulfills the contract of all stores`(_ promise: StoreContract.Case) async throws {
        let server = try PostgresServer.shared.get()
        let folder = try TemporaryFolder()
        try await promise.run(
            StoreContract.Subject(
                folder: folder.path,
                makeEmpty: { try await PostgresStore.open(.tenure, url: server.makeDatabase(), mode: .create) },
                makeShared: {
                    let url = try server.makeDatabase()
                    return [
                        try await PostgresStore.open(.tenure, url: url, mode: .create),
                        try await PostgresStore.open(.tenure, url: url),
                    ]
                },
                openBackup: { path in try await PostgresStore.open(.tenure, url: path) }))
    }
}
