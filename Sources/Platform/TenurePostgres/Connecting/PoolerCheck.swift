import TenureStore

/// Finds out whether a connection pooler gives each transaction another session of the database.
///
/// Prepared statements and the locks of roles belong to a session. With transaction pooling, statements fail or, worse,
/// a role's lock stays in a session that no server uses.
enum PoolerCheck {
    /// Throws `.failed` if the connections go through a pooler in transaction mode.
    ///
    /// Two connections take turns. Whether the pooler hands out the session that became free first or last, a
    /// connection gets a different session after a few turns. All statements are unnamed, because a prepared one would
    /// already fail.
    static func refuseTransactionPooling(at database: Database, _ settings: SessionSettings) throws(StoreError) {
        let first = try database.connectToWritableHost(settings)
        guard first.isPooled else { return }
        let second = try Connection(database, settings, host: first.chosenHost)
        var sessions: Set<[Int64?]> = []
        for turn in 0..<6 {
            let pair = [try beginAndAsk(first), try beginAndAsk(second)]
            sessions.insert(pair)
            if turn.isMultiple(of: 2) { try first.run(.unkept("COMMIT")) }
            try second.run(.unkept("COMMIT"))
            if !turn.isMultiple(of: 2) { try first.run(.unkept("COMMIT")) }
            // With the first connection alone, the pooler may also give it the session that the second one used.
            if turn == 2 {
                sessions.insert([try beginAndAsk(first), pair[1]])
                try first.run(.unkept("COMMIT"))
            }
        }
        guard let only = sessions.first, sessions.count == 1, only[0] != only[1] else {
            throw .transactionPooling(database.address.position)
        }
    }

    /// Begins a transaction and returns the process identifier of its session.
    private static func beginAndAsk(_ connection: Connection) throws(StoreError) -> Int64? {
        try connection.run(.unkept("BEGIN"))
        return try connection.run(.unkept("SELECT pg_backend_pid()::bigint")).first { row in try row.next(Int64.self) }
    }
}

extension SQL {
    fileprivate static func unkept(_ text: String) -> SQL { SQL(text: text, isKept: false) }
}

extension StoreError {
    /// An error for a database behind a pooler that gives each transaction another session.
    static func transactionPooling(_ position: String, cause: String? = nil) -> StoreError {
        StoreError(
            .failed,
            "\(position) is behind a connection pooler in transaction mode, in which locks and prepared statements get "
                + "lost. Use session pooling (pool_mode = session), or connect directly.", cause: cause)
    }
}
