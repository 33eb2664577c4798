import Synchronization
public import TenureStore

extension PostgresStore {
    /// The term in which this server currently leads in a role; `nil` if it doesn't lead. A server leads while it holds
    /// the role's advisory lock in a separate session.
    ///
    /// It increments the term when it acquires the lock. The database releases the lock when the session ends: at once
    /// if the server's process dies, within ten seconds if its machine becomes unresponsive. A server that can't reach
    /// the database leads in no role.
    public func lead(_ role: Role) async -> LeaderTerm? {
        let isKept = try? await holds(role)
        if isKept == true, let term = terms.withLock({ $0[role] }) { return term }
        // Until the term has been incremented, the stored one belongs to an earlier lead.
        let term = isKept == nil ? nil : try? await perform(LeaderTerm.next(in: role))
        terms.withLock { $0[role] = term }
        return term
    }

    /// Acquires the role's lock unless another server holds it, in which case the result is `nil`.
    ///
    /// The result is `true` if this session already held the lock.
    private func holds(_ role: Role) async throws(StoreError) -> Bool? {
        try await leading.run { connection in
            if connection.heldLocks.contains(role.rawValue) {
                try connection.run(.ping)
                return true
            }
            let isLeader = try connection.first(.tryToLead, [.integer(Int64(role.rawValue))]) {
                row in
                try row.next(Bool.self)
            }
            if isLeader == true { connection.heldLocks.insert(role.rawValue) }
            return isLeader == true ? false : nil
        }
    }
}

extension SQL {
    fileprivate static let tryToLead = SQL("SELECT pg_try_advisory_lock(", AdvisoryLock.space, ", $1::bigint::int)")
}
