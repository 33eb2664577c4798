import Foundation
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

@testable import TenureSQLite

@Suite struct `Grouped changes` {
    /// Set `TENURE_RUNS` for a longer run: `TENURE_RUNS=1000 swift test --filter SameAnswersTests`.
    static let runs = ProcessInfo.processInfo.environment["TENURE_RUNS"].flatMap(Int.init) ?? 50

    @Test(arguments: 0..<runs)
    func `grouped changes have the same results as single changes`(seed: Int) async throws {
        let subjects = try [1, 7, 64].map { try Self.subject(groups: $0) }
        try await SameAnswers.check(seed: seed, on: subjects)
        for subject in subjects { await subject.store.close() }
    }

    /// Creates an in-memory store on which the test commits groups itself.
    private static func subject(groups: Int) throws -> SameAnswers.Subject {
        let store = try SQLiteStore.inMemory(.tenure)
        return SameAnswers.Subject("SQLite in groups of \(groups)", groups: groups, store: store) { group in
            try store.connection.lend { connection in
                let failures = GroupCommit(connection: connection).carryOut(group)
                for (change, failure) in zip(group, failures) { change.resume(failure) }
            }
        }
    }
}
