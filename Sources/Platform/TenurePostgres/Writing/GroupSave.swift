import TenureStore

extension Connection {
    /// Adds the statements that save the differences to the next round trip.
    ///
    /// The order is:
    /// - New and changed rows, parents first.
    /// - Deleted rows, children first.
    /// - Rows of append-only tables last, because once their counters are locked, other changes wait for them.
    func save(_ differences: [BatchState.Difference]) {
        for difference in differences {
            if !difference.inserted.isEmpty { insert(difference.inserted, into: difference.table) }
            for (mask, rows) in difference.updated { update(rows, of: difference.table, mask) }
        }
        for difference in differences.reversed() where !difference.removed.isEmpty {
            let table = difference.table
            let made = texts.remove(table)
            outgoing.add(made.sql, for: .removing(table))
            bind(difference.removed, of: table, table.keyColumns)
            outgoing.bind(.integer(Int64(difference.removed.count)))
        }
        for difference in differences where !difference.appended.isEmpty {
            appended.append(
                AppendedRows(
                    table: difference.table, rows: difference.appended, statement: outgoing.statements.count))
            insert(difference.appended, into: difference.table)
        }
    }

    /// Saves rows from another store in their own transaction.
    func adopt(_ rows: [StoredRow], of table: TableShape) throws(StoreError) {
        if rows.isEmpty { return }
        try transaction {
            outgoing.add(.begin)
            outgoing.add(texts.adopt(table).sql, for: .saving(table))
            bind(rows, of: table, Array(table.columns.indices))
            outgoing.add(.commit)
            _ = try roundTrip(committing: true)
        }
    }

    /// Writes a portion of a lossy update in its own transaction.
    ///
    /// A crash may lose the portion, because the commit doesn't wait for the disk.
    func write(_ portion: ArraySlice<(key: StoredValue, value: StoredValue)>, of note: LossyUpdate) throws(StoreError) {
        let made = texts.raise(note.table)
        try transaction {
            outgoing.add(.begin)
            outgoing.add(.withoutWaiting)
            outgoing.add(made.sql)
            let first = portion.startIndex
            outgoing.bind(made.types[0], count: portion.count) { portion[first + $0].key }
            outgoing.bind(made.types[1], count: portion.count) { portion[first + $0].value }
            outgoing.add(.commit)
            _ = try roundTrip()
        }
    }

    /// Runs the body, which begins and commits a transaction itself, and rolls back if it fails.
    func transaction<Result>(_ body: () throws -> Result) throws(StoreError) -> Result {
        outgoing.clear()
        do {
            return try storeErrors(body)
        } catch {
            if !isLost { _ = try? run(.rollback) }
            throw error
        }
    }

    private func insert(_ rows: [StoredRow], into table: TableShape) {
        outgoing.add(texts.insert(table).sql, for: .saving(table))
        bind(rows, of: table, table.newColumns)
    }

    private func update(_ rows: [StoredRow], of table: TableShape, _ mask: UInt64) {
        outgoing.add(texts.update(table, mask).sql, for: .saving(table))
        bind(rows, of: table, table.keyColumns + table.columns(in: mask))
        outgoing.bind(.integer(Int64(rows.count)))
    }

    /// Binds an array for each of the columns.
    private func bind(_ rows: [StoredRow], of table: TableShape, _ positions: [Int]) {
        for position in positions {
            let column = table.columns[position]
            outgoing.bind(column.type, count: rows.count) { column.value(rows[$0]) }
        }
    }
}

extension SQL {
    fileprivate static let withoutWaiting = SQL("SET LOCAL synchronous_commit = off")
}
