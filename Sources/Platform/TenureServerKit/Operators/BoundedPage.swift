package import TenureStore

/// A page of a list that was read by examining a bounded number of rows, whatever the filter is.
package struct BoundedPage<Row: Sendable>: Sendable {
    /// The rows that match the filter, in the order of the list.
    package let rows: [Row]
    /// The last examined row, after which the next page begins; `nil` at the end of the list.
    ///
    /// The filter may exclude this row.
    package let next: Row?

    /// The maximum number of rows that are examined for a page whose filter no index supports.
    package static var stretch: Int { 2_000 }

    package init(_ rows: [Row], next: Row?) {
        self.rows = rows
        self.next = next
    }

    /// Returns the page with each row replaced by another value.
    package func map<Value>(_ value: (Row) throws -> Value) rethrows -> BoundedPage<Value> {
        BoundedPage<Value>(try rows.map(value), next: try next.map(value))
    }
}

extension Reading {
    /// Lists at most `limit` (1...1000) rows of a set in its order.
    ///
    /// With a filter, at most ``BoundedPage/stretch`` rows are examined. Therefore, the page may be short or empty
    /// although another page follows.
    ///
    /// - Parameters:
    ///   - values: The values to compare the set's columns with.
    ///   - cursor: The order's column values in the last row that the previous page examined; empty for the first
    ///     page.
    ///   - isListed: The filter; `nil` to list every row of the set.
    package func boundedPage<Row: Stored>(
        of set: RowSet<Row>, _ values: [StoredValue], after cursor: [StoredValue], limit: Int,
        where isListed: ((Row) -> Bool)?
    ) async throws(Failure) -> BoundedPage<Row> {
        let limit = pageSize(limit)
        guard let isListed else {
            let rows = try await list(Listing(set, values, after: cursor, limit: limit))
            return BoundedPage(rows, next: rows.count == limit ? rows.last : nil)
        }
        let step = BoundedPage<Row>.stretch / 4
        var (found, position, last): ([Row], [StoredValue], Row?) = ([], cursor, nil)
        for _ in 0..<4 {
            let rows = try await list(Listing(set, values, after: position, limit: step))
            for row in rows where isListed(row) {
                found.append(row)
                if found.count == limit { return BoundedPage(found, next: row) }
            }
            guard rows.count == step, let end = rows.last else { return BoundedPage(found, next: nil) }
            last = end
            position = set.position(of: end)
        }
        return BoundedPage(found, next: last)
    }
}

extension RowSet where Row: Stored {
    /// The order's column values of a row. A page that continues after the row starts from them.
    package func position(of row: Row) -> [StoredValue] {
        let stored = row.stored
        return shape.order.map { shape.table.columns[$0.column].value(stored) }
    }
}
