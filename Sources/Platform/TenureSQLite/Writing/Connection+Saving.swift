import TenureCore
import TenureStore

extension Connection {
    /// Performs one change in an open transaction: loads, decides and saves.
    func carryOut(_ change: any WaitingChange) throws(StoreError) {
        for save in change.decide(try results(change.bound)) { try carryOut(save) }
    }

    private func carryOut(_ save: RowWrite) throws(StoreError) {
        let table = save.table
        do {
            switch (save.before, save.after) {
            case (nil, let row?): try insert(row, into: table)
            case (let before?, let row?): try replace(before, by: row, in: table, refolding: save.refolds)
            case (let before?, nil): try remove(before, from: table)
            case (nil, nil): return
            }
        } catch  where error.code == .duplicate {
            // If the primary key and another key are taken, both engines report the primary key.
            var isKnown = false
            if save.before == nil, let row = save.after { isKnown = try isThere(row, in: table) }
            let key = isKnown ? "\(table.name).key" : table.key(violatedBy: error)
            throw .taken(key, of: table, cause: error.cause)
        } catch  where error.code == .reference && save.after == nil {
            throw StoreError(
                .inUse, "Nothing was changed, because a row of \(table.name) is still in use.", cause: error.cause)
        } catch  where error.code == .reference {
            throw StoreError(.failed, error.message, cause: error.cause)
        }
    }

    private func insert(_ row: StoredRow, into table: TableShape) throws(StoreError) {
        if let counter = table.counter { try raise(counter, by: row, of: table) }
        var statement = try preparedStatement(.insert(ObjectIdentifier(table))) { SQLDialect.sqlite.inserting(table) }
        for position in table.newColumns { try statement.bind(table.columns[position].value(row)) }
        try statement.finish()
    }

    /// Raises the counter of a new row in an append-only table.
    ///
    /// An upsert that returns the number would allocate a temporary table for each row.
    private func raise(_ counter: TableShape, by row: StoredRow, of table: TableShape) throws(StoreError) {
        var statement = try preparedStatement(.count(ObjectIdentifier(counter))) {
            SQLDialect.sqlite.raising(counter: counter)
        }
        for position in table.keyColumns.dropLast() { try statement.bind(table.columns[position].value(row)) }
        try statement.finish()
        if changes > 0 { return }
        var first = try preparedStatement(.start(ObjectIdentifier(counter))) {
            SQLDialect.sqlite.starting(counter: counter)
        }
        for position in table.keyColumns.dropLast() { try first.bind(table.columns[position].value(row)) }
        try first.finish()
    }

    private func isThere(_ row: StoredRow, in table: TableShape) throws(StoreError) -> Bool {
        let named = table.keyColumns.enumerated().map { number, position in
            "\(table.columns[position].name) = \(SQLDialect.sqlite.position(number + 1))"
        }
        let text = "SELECT 1 FROM \(table.name) WHERE \(named.joined(separator: " AND "))"
        return try !once(text, table.keyColumns.map { table.columns[$0].value(row) }) { _ in }.isEmpty
    }

    private func replace(
        _ before: StoredRow, by row: StoredRow, in table: TableShape, refolding refolds: Bool
    ) throws(StoreError) {
        let mask = table.difference(between: before, and: row) | (refolds ? table.folds : 0)
        if mask == 0 { return }
        var statement = try preparedStatement(.update(ObjectIdentifier(table), mask: mask)) {
            SQLDialect.sqlite.updating(table, mask)
        }
        for position in table.keyColumns { try statement.bind(table.columns[position].value(before)) }
        for position in table.columns.indices where mask >> UInt64(position) & 1 == 1 {
            try statement.bind(table.columns[position].value(row))
        }
        try statement.finish()
        try expectOne(of: table)
    }

    private func remove(_ row: StoredRow, from table: TableShape) throws(StoreError) {
        var statement = try preparedStatement(.delete(ObjectIdentifier(table))) { SQLDialect.sqlite.deleting(table) }
        for position in table.keyColumns { try statement.bind(table.columns[position].value(row)) }
        try statement.finish()
        try expectOne(of: table)
    }

    /// Throws unless the statement changed exactly one row.
    ///
    /// A row that was loaded in this transaction exists. A different number of rows means that a decision changed a row
    /// that it didn't load.
    private func expectOne(of table: TableShape) throws(StoreError) {
        if changes != 1 {
            throw StoreError(
                .failed,
                "A transaction updated a missing row of \(table.name). This is a bug in Tenure; please report it.")
        }
    }

    /// Saves rows from another store unchanged.
    func adopt(_ rows: [StoredRow], of table: TableShape) throws(StoreError) {
        do {
            for row in rows {
                var statement = try preparedStatement(.adopt(ObjectIdentifier(table))) {
                    SQLDialect.sqlite.adopting(table)
                }
                for column in table.columns { try statement.bind(column.value(row)) }
                try statement.finish()
            }
        } catch  where error.code == .duplicate {
            throw .taken(table.key(violatedBy: error), of: table, cause: error.cause)
        }
    }

    /// Writes a portion of a lossy update in its own transaction.
    func write(
        _ portion: ArraySlice<(key: StoredValue, value: StoredValue)>, of note: LossyUpdate
    ) throws(StoreError) {
        try transaction(lossy: true) {
            for (key, value) in portion {
                var statement = try preparedStatement(.raise(ObjectIdentifier(note.table))) {
                    SQLDialect.sqlite.raising(note.table)
                }
                try statement.bind(key)
                try statement.bind(value)
                try statement.finish()
            }
        }
    }
}

extension TableShape {
    /// The declared key in SQLite's error message, such as `UNIQUE constraint failed: licenses.key_hash, ...`.
    fileprivate func key(violatedBy error: StoreError) -> String {
        let columns = (error.cause ?? "").split(atByte: ":").last.map { words in
            words.split(atByte: ",").map { column in
                String(column.split(atByte: ".").last ?? "")
            }
        }
        let unique = uniques.first { unique in unique.columns.map { self.columns[$0].name } == columns }
        return "\(name).\(unique?.name ?? "key")"
    }
}
