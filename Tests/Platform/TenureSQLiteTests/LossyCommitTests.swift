import TenureStore
import TenureTesting
import Testing

@testable import TenureSQLite

/// Tests which commits wait for the disk.
@Suite struct LossyCommitTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `a group's commit waits for the disk unless all of its changes are lossy`() throws {
        let group = GroupCommit(connection: try connection())
        #expect(synced(group, [true]) == [false])
        #expect(synced(group, [true, true]) == [false, false])
        #expect(synced(group, [true, false]) == [true, true])
        #expect(synced(group, [false]) == [true])
    }

    @Test func `after a failed lossy transaction, the next commit waits for the disk`() throws {
        let connection = try connection()
        #expect(throws: StoreError.self) {
            try connection.transaction(lossy: true) { throw StoreError(.failed, "the decision failed") }
        }
        #expect(synced(GroupCommit(connection: connection), [false]) == [true])
    }

    /// Performs a group of changes, each lossy or not, and returns which of them were in a synced transaction.
    private func synced(_ group: GroupCommit, _ areLossy: [Bool]) -> [Bool] {
        let changes = areLossy.map { SyncReader(isLossy: $0, connection: group.connection) }
        #expect(group.carryOut(changes).allSatisfy { $0 == nil })
        // FULL is 2, and NORMAL is 1.
        return changes.map { $0.level == 2 }
    }

    private func connection() throws -> Connection {
        let connection = try Connection(path: folder.file(), flags: 6)
        try connection.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
        return connection
    }
}

/// A change that reads the connection's setting for syncs within its transaction.
// No lock: one thread uses it.
private final class SyncReader: WaitingChange, @unchecked Sendable {
    let isLossy: Bool
    let yields = false
    let isLate = false
    let bound = SyncReader.plan.bind()
    private let connection: Connection
    private(set) var level: Int64?

    init(isLossy: Bool, connection: Connection) {
        self.isLossy = isLossy
        self.connection = connection
    }

    func decide(_: QueryResult) -> [RowWrite] {
        level = try? connection.once("PRAGMA synchronous") { row in try row.next(Int64.self) }.first
        return []
    }

    func resume(_: StoreError?) {}

    private static let plan = QueryPlan { _ in }
}
