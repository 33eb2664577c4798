import TenureStore

/// Finds out whether a connection pooler gives each transaction another session of the database.
///
/// Prepared statements and the locks of roles belong to a session. With transaction pooling, statements fail or, worse,
/// a role's lock stays in a session that no server uses.
enum PoolerCheck {
    /// Throws `.failed` if the connections go through a pooler in transaction mode.
    ///
    /// Two connections take turns: when both have ended a transaction, a pooler in transaction mode gives the first one
    /// the session that became free last. All statements are unnamed, because a prepared one would already fail.
    static func refuseTransactionPooling(at database: Database, _ settings: SessionSettings) throws(StoreError) {
        let first = try Connection(database, settings)
        guard first.isPooled else { return }
        let second = try Connection(database, settings)
        let before = try first.beginAndAsk()
        let other = try second.beginAndAsk()
        try first.run(.unkept("COMMIT"))
        try second.run(.unkept("COMMIT"))
        let after = try first.beginAndAsk()
        try first.run(.unkept("COMMIT"))
        if before == after, before != other { return }
        throw .transactionPooling(database.address.position)
    }
}

extension Connection {
    /// Begins a transaction and returns the process identifier of its session.
    fileprivate func beginAndAsk() throws(StoreError) -> Int64? {
        try run(.unkept("BEGIN"))
        return try run(.unkept("SELECT pg_backend_pid()::bigint")).first { row in try row.next(Int64.self) }
    }
}

extension SQL {
    fileprivate static func unkept(_ text: String) -> SQL { SQL(text: text, isKept: false) }
}

extension StoreError {
    /// A pooler between the server and the database gives each transaction another session.
    static func transactionPooling(_ position: String, cause: String? = nil) -> StoreError {
        StoreError(
            .failed,
            "\(position) is behind a connection pooler in transaction mode, in which locks and prepared statements get "
                + "lost. Use session pooling (pool_mode = session), or connect directly.", cause: cause)
    }
}
