public import TenureStore

extension PostgresStore {
    /// Whether this server leads in a role now: it holds the role's lock in a session of its own.
    ///
    /// The database lets go of the lock when that session ends, at once when the server's process dies, and within ten
    /// seconds when its machine falls silent. A server that cannot reach the database leads in nothing.
    public func lead(_ role: Role) async -> Bool {
        do {
            return try await leading.run { connection throws(StoreError) in
                if connection.heldLocks.contains(role.rawValue) {
                    try connection.run(.ping)
                    return true
                }
                let isLeader = try connection.first(.tryToLead, [.integer(Int64(role.rawValue))]) {
                    row throws(StoreError) in
                    try row.next(Bool.self)
                }
                if isLeader == true { connection.heldLocks.insert(role.rawValue) }
                return isLeader == true
            }
        } catch {
            return false
        }
    }
}

extension SQL {
    fileprivate static let tryToLead = SQL("SELECT pg_try_advisory_lock(", AdvisoryLock.space, ", $1::bigint::int)")
}
