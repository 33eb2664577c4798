import TenureStore

extension Connection {
    /// Reads the first row that a query finds; nil when it finds none.
    func first<Read>(
        _ sql: SQL, _ values: [Value] = [], _ read: (Row) throws(StoreError) -> Read
    ) throws(StoreError) -> Read? {
        try run(sql, values).first(read)
    }

    /// Reads all the rows that a query finds.
    func all<Read>(
        _ sql: SQL, _ values: [Value] = [], _ read: (Row) throws(StoreError) -> Read
    ) throws(StoreError) -> [Read] {
        try run(sql, values).all(read)
    }

    /// Runs queries that see one state of the database, in one round trip.
    func readConsistently(_ queries: [Statement]) throws(StoreError) -> [Answer] {
        do {
            let answers = try roundTrip([Statement(.beginReading)] + queries + [Statement(.commit)])
            return Array(answers.dropFirst().dropLast())
        } catch {
            if !isLost { _ = try? run(.rollback) }
            throw error
        }
    }
}

extension SQL {
    static let begin = SQL("BEGIN")
    static let commit = SQL("COMMIT")
    static let rollback = SQL("ROLLBACK")
    static let beginReading = SQL("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
}
