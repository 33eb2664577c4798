import CSQLite
import TenureStore

/// Runs many changes in one transaction, so that they share one wait for the disk.
struct GroupCommit {
    let connection: Connection

    /// Performs the changes in order and returns each one's error, or `nil` if it's on disk.
    ///
    /// In most groups no change fails, so the first attempt uses no savepoints.
    func carryOut(_ group: [any WaitingChange]) -> [StoreError?] {
        do {
            try together(group)
            return Array(repeating: nil, count: group.count)
        } catch {
            if error.concernsAll || group.count == 1 { return Array(repeating: error, count: group.count) }
        }
        do {
            return try apart(group)
        } catch {
            return Array(repeating: error, count: group.count)
        }
    }

    private func together(_ group: [any WaitingChange]) throws(StoreError) {
        try connection.transaction(lossy: group.allSatisfy(\.isLossy)) {
            for change in group { try connection.carryOut(change) }
        }
    }

    /// Gives each change its own savepoint, so that a failing one is rolled back alone.
    private func apart(_ group: [any WaitingChange]) throws(StoreError) -> [StoreError?] {
        var failures: [StoreError?] = []
        try connection.transaction(lossy: group.allSatisfy(\.isLossy)) {
            for change in group { failures.append(try alone(change)) }
        }
        return failures
    }

    private func alone(_ change: any WaitingChange) throws(StoreError) -> StoreError? {
        try connection.run(.savepoint)
        do {
            try connection.carryOut(change)
        } catch {
            // SQLite ends the transaction when the disk fails; then there's no savepoint to roll back to.
            if error.concernsAll || !connection.isInTransaction { throw error }
            try connection.run(.rollbackToSavepoint)
            try connection.run(.releaseSavepoint)
            return error
        }
        try connection.run(.releaseSavepoint)
        return nil
    }
}

extension Connection {
    /// Runs the body in a write transaction; afterwards either all or none of it is on disk.
    ///
    /// - Parameter isLossy: Whether the commit doesn't wait for the disk. A crash of the host may lose it then, until
    ///   the next synced commit.
    func transaction(lossy isLossy: Bool = false, _ body: () throws -> Void) throws(StoreError) {
        try syncCommits(!isLossy)
        try run(.beginImmediate)
        do {
            try storeErrors(body)
            try run(.commit)
        } catch {
            if isInTransaction { try? run(.rollback) }
            throw error
        }
    }

    /// Whether a transaction is open; SQLite ends one automatically when the disk fails.
    var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }
}

extension SQL {
    static let begin = SQL("BEGIN")
    static let beginImmediate = SQL("BEGIN IMMEDIATE")
    static let commit = SQL("COMMIT")
    static let rollback = SQL("ROLLBACK")
    fileprivate static let savepoint = SQL("SAVEPOINT change")
    fileprivate static let rollbackToSavepoint = SQL("ROLLBACK TO change")
    fileprivate static let releaseSavepoint = SQL("RELEASE change")
}
