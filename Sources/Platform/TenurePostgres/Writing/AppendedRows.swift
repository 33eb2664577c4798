import TenureStore

/// Rows that a statement adds to an append-only table, in the order in which the statement numbers them.
struct AppendedRows {
    let table: TableShape
    let rows: [StoredRow]
    /// The position of the statement in its round trip. The statement's result contains each counter that it raised.
    let statement: Int

    /// The rows with their numbers; each counter in the result has the number of its last row.
    func numbered(by answer: Answer) throws(StoreError) -> [NumberedRow] {
        guard let counter = table.counter else { return [] }
        var last: [StoredValues: Int64] = [:]
        try answer.forEach { cursor in
            var scope = StoredValues()
            for column in counter.keyColumns { scope.append(try cursor.value(counter.columns[column].type)) }
            last[scope] = try cursor.next()
        }
        let scopes = rows.map { row in table.values(of: row, at: Array(table.keyColumns.dropLast())) }
        for scope in scopes { last[scope, default: 0] -= 1 }
        return zip(rows, scopes).map { row, scope in
            last[scope, default: 0] += 1
            return NumberedRow(row, number: last[scope, default: 0])
        }
    }
}

extension Connection {
    /// Reports the rows of a confirmed commit to the observer, with their numbers.
    ///
    /// A result that can't be read is left out, because the change is already committed.
    func report(_ answers: [Answer], to observer: ConnectionObserver) {
        for added in appended {
            if let rows = try? added.numbered(by: answers[added.statement]) { observer.appended(added.table, rows) }
        }
        appended = []
    }
}

extension ConnectionObserver {
    /// Lets the observer check a session's connection.
    func check(
        _ connection: Connection, of database: Database, for purpose: NewConnection.Purpose
    ) throws(StoreError) {
        try opened(
            NewConnection(
                for: purpose, database: connection.databaseName, host: connection.host,
                values: { column, table, keys throws(StoreError) in
                    try connection.values(of: column, in: table, keys)
                },
                fetch: { bound throws(StoreError) in try connection.fetch([bound])[0] },
                timeline: { () throws(StoreError) in try NewConnection.Timeline.current(on: connection) },
                rows: { listing throws(StoreError) in try connection.rows(listing) },
                suspect: { database.suspectLoss() },
                carryOut: { change throws(StoreError) in
                    let group = GroupCommit(connection: connection, observer: self)
                    if case .failed(let error) = try group.carryOut([change]).first { throw error }
                }))
    }
}
