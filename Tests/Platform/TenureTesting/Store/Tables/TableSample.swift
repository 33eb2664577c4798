package import TenureStore

/// Rows of one table that cover every column, once with all optional values and once without them.
///
/// The first row's values are also listed by column name, independently of the table's declaration.
package struct TableSample: Sendable, CustomStringConvertible {
    package let table: TableShape
    /// The rows in the form that engines store.
    package let rows: [StoredRow]
    /// The values of the first row, by column name.
    package let values: [String: StoredValue]
    /// The writes that insert the rows.
    package let inserts: [RowWrite]

    private let checkReading: @Sendable (any Store) async throws -> Void

    /// Creates a sample of a table; `declared` may be another declaration of that table.
    package init<Row: Stored & Equatable>(
        _ full: Row, _ values: [String: StoredValue], bare: Row..., in declared: Table<Row> = Row.table
    ) {
        let samples = [full] + bare
        table = declared.shape
        rows = samples.map(\.stored)
        inserts = samples.map { RowWrite.insert($0) }
        self.values = values
        checkReading = { store in
            let found = try await store.list(Listing(declared.all, limit: 10))
            let expected = samples.sorted { declared.shape.key(of: $0.stored) < declared.shape.key(of: $1.stored) }
            try expectEqual(found, expected)
        }
    }

    package var description: String { table.name }

    /// Checks the declaration itself; throws ``ContractViolation``.
    package func checkDeclaration() throws {
        try Self.check(table, rows: rows, values: values)
    }

    /// Checks that a store contains exactly these rows. Throws ``ContractViolation`` otherwise.
    package func check(in store: any Store) async throws { try await checkReading(store) }

    /// Checks the first row's values, and that every optional column occurs with and without a value.
    package static func check(_ table: TableShape, rows: [StoredRow], values: [String: StoredValue]) throws {
        try expectEqual(Set(table.columns.map(\.name)), Set(values.keys))
        for column in table.columns {
            try expectEqual(table.value(of: column, in: rows[0]), values[column.name])
            let found = rows.map { table.value(of: column, in: $0).isNull }
            try expect(!found[0], "\(table.name).\(column.name) is absent in the full row")
            // The fold of a text is absent only if the text is.
            if column.isNullable, !column.isFold {
                try expect(found.contains(true), "\(table.name).\(column.name) is never absent")
            }
        }
        // Two columns with the same value could be swapped without a failing check.
        let results = table.columns.map { table.value(of: $0, in: rows[0]) }
        let twice = results.indices.filter { index in
            if case .flag = results[index] { return false }
            // The fold of a text may be that text.
            if table.columns[index].isFold { return false }
            return results.firstIndex(of: results[index]) != index
        }
        try expect(twice.isEmpty, "\(table.name) shows one value in several columns: \(twice.map { results[$0] })")
    }
}
