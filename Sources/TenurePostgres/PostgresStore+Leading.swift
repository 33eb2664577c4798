import Synchronization
public import TenureStore

extension PostgresStore {
    /// The term in which this server leads in a role now: it holds the role's lock in a session of its own, and has raised
    /// the term when it won it.
    ///
    /// The database lets go of the lock when that session ends, at once when the server's process dies, and within ten
    /// seconds when its machine falls silent. A server that cannot reach the database leads in nothing.
    public func lead(_ role: Role) async -> LeaderTerm? {
        let isKept = try? await holds(role)
        if isKept == true, let term = terms.withLock({ $0[role] }) { return term }
        // What is remembered is an earlier lead's, until the term has been raised.
        let term = isKept == nil ? nil : try? await perform(LeaderTerm.next(in: role))
        terms.withLock { $0[role] = term }
        return term
    }

    /// Whether the role's lock was held before; nil when another server has it.
    private func holds(_ role: Role) async throws(StoreError) -> Bool? {
        try await leading.run { connection throws(StoreError) in
            if connection.heldLocks.contains(role.rawValue) {
                try connection.run(.ping)
                return true
            }
            let isLeader = try connection.first(.tryToLead, [.integer(Int64(role.rawValue))]) {
                row throws(StoreError) in
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
