import Foundation
import TenureSQLite
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

@testable import TenurePostgres

@Suite struct `Grouped changes` {
    /// Set `TENURE_RUNS` for a longer run: `TENURE_RUNS=1000 swift test --filter SameAnswersTests`.
    static let runs = ProcessInfo.processInfo.environment["TENURE_RUNS"].flatMap(Int.init) ?? 50

    /// Ranges of runs. The runs of one range share a set of databases.
    static let portions = stride(from: 0, to: runs, by: 10).map { $0..<min($0 + 10, runs) }

    @Test(arguments: portions)
    func `grouped changes on PostgreSQL have the same results as single changes on SQLite`(seeds: Range<Int>)
        async throws
    {
        let server = try PostgresServer.shared.get()
        var databases: [Database] = []
        for groups in [1, 7, 64] { databases.append(try await Database(server, groups: groups)) }
        for seed in seeds {
            let file = try SQLiteStore.inMemory(.tenure)
            try await SameAnswers.check(seed: seed, on: [Self.oneByOne(file)] + databases.map(\.subject))
            await file.close()
            for database in databases { try database.clear() }
        }
        for database in databases { await database.store.close() }
    }

    /// Returns a SQLite store that performs each change alone, through the public API.
    private static func oneByOne(_ store: any Store) -> SameAnswers.Subject {
        SameAnswers.Subject("SQLite", groups: 1, store: store) { group in
            for change in group {
                do throws(StoreError) {
                    try await store.perform(
                        Transaction(change.bound) { results in TransactionResult((), change.decide(results)) })
                    change.resume(nil)
                } catch {
                    change.resume(error)
                }
            }
        }
    }
}

/// A database on which the test commits groups itself, over a separate connection.
// Needs no lock: a run performs one group after the other.
private final class Database: @unchecked Sendable {
    let store: PostgresStore
    private let server: PostgresServer
    private let url: String
    private let groups: Int
    private let session: Session

    init(_ server: PostgresServer, groups: Int) async throws {
        self.server = server
        self.groups = groups
        url = try server.makeDatabase()
        store = try await PostgresStore.open(
            .tenure,
            url: url, mode: .create, limits: PostgresStore.Limits(lookups: 1, readers: 1))
        session = Session(
            TenurePostgres.Database(try Address(url, allowingPassword: false)),
            SessionSettings(statementTimeout: .seconds(60), lockTimeout: .seconds(60), isIndexed: true))
    }

    var subject: SameAnswers.Subject {
        SameAnswers.Subject("PostgreSQL in groups of \(groups)", groups: groups, store: store) { [self] group in
            var waiting = group
            while !waiting.isEmpty {
                let outcomes = try session.use { connection in
                    try GroupCommit(connection: connection).carryOut(waiting)
                }
                var postponed: [any WaitingChange] = []
                for (change, outcome) in zip(waiting, outcomes) {
                    switch outcome {
                    case .saved: change.resume(nil)
                    case .failed(let error): change.resume(error)
                    case .postponed: postponed.append(change)
                    }
                }
                waiting = postponed
            }
        }
    }

    /// Empties all tables for the next run.
    func clear() throws {
        let tables = StoreSchema.tenure.tables.filter { !$0.keyColumns.isEmpty }.map(\.name)
        try server.sql(
            "TRUNCATE \(tables.joined(separator: ", ")); UPDATE catalog_version SET version = 0", in: url)
    }
}
