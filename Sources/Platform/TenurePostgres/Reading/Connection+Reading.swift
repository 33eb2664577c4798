import TenureStore

extension Connection {
    /// Reads the first row of a query; `nil` if there isn't one.
    func first<Read>(
        _ sql: SQL, _ values: [StoredValue] = [], _ read: (inout RowCursor) throws -> Read
    ) throws(StoreError) -> Read? {
        try run(sql, values).first(read)
    }

    func all<Read>(
        _ sql: SQL, _ values: [StoredValue] = [], _ read: (inout RowCursor) throws -> Read
    ) throws(StoreError) -> [Read] {
        try run(sql, values).all(read)
    }

    func rows(_ listing: ListingShape) throws(StoreError) -> [StoredRow] {
        let statement = ListingStatement(listing, in: .postgres)
        let table = listing.set.table
        return try all(SQL(text: statement.text, isKept: false), statement.values) { cursor in
            try table.checkedRow(from: &cursor)
        }
    }

    /// Reads the values of a column by the rows' keys, which are texts.
    func values(of column: String, in table: TableShape, _ keys: [String]) throws(StoreError) -> [String: [UInt8]] {
        let key = table.columns[table.keyColumns[0]].name
        outgoing.clear()
        // Unnamed, because it's the first statement, and a transaction pooler's session may have prepared another one.
        outgoing.add(
            SQL(text: "SELECT \(key), \(column) FROM \(table.name) WHERE \(key) = ANY($1)", isKept: false))
        outgoing.bind(.text, count: keys.count) { .text(keys[$0]) }
        var values: [String: [UInt8]] = [:]
        try roundTrip()[0].forEach { row in values[try row.next()] = try row.next() }
        return values
    }

    /// Runs a handwritten query over a list.
    func answers(_ view: NamedQueryShape, _ list: [StoredValue]) throws(StoreError) -> [any Sendable] {
        outgoing.clear()
        outgoing.add(view, list, in: texts)
        return try roundTrip()[0].all { cursor in try view.row(from: &cursor) }
    }
}
