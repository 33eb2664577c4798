package import TenureStore

/// Rows of one table that show every column: one with every optional present, one with every optional absent.
///
/// The values of the first row are told by the columns' names as well, independently of the declaration.
package struct TableSample: Sendable, CustomStringConvertible {
    /// Whose rows.
    package let table: TableShape
    /// The rows as engines pass them on.
    package let rows: [StoredRow]
    /// What the first row holds, by the names of its columns.
    package let values: [String: StoredValue]
    /// The saves of new rows.
    package let inserts: [Save]

    private let checkReading: @Sendable (any Store) async throws -> Void

    /// Shows rows of a table; of the one that they know, or of another declaration of it.
    package init<Row: Stored & Equatable>(
        _ full: Row, _ values: [String: StoredValue], bare: Row..., in declared: Table<Row> = Row.table
    ) {
        let samples = [full] + bare
        table = declared.shape
        rows = samples.map(\.stored)
        inserts = samples.map { Save.insert($0) }
        self.values = values
        checkReading = { store in
            let found = try await store.list(Listing(declared.all, limit: 10))
            let expected = samples.sorted { declared.shape.key(of: $0.stored) < declared.shape.key(of: $1.stored) }
            try expectEqual(found, expected)
        }
    }

    /// The table's name.
    package var description: String { table.name }

    /// Checks the declaration itself. Throws ``ContractViolation``.
    package func checkDeclaration() throws {
        try Self.check(table, rows: rows, values: values)
    }

    /// Checks that a store holds the rows as they are. Throws ``ContractViolation``.
    package func check(in store: any Store) async throws { try await checkReading(store) }

    /// Checks that the first row's columns hold what they are told to, and that all optionals are seen absent and present.
    package static func check(_ table: TableShape, rows: [StoredRow], values: [String: StoredValue]) throws {
        try expectEqual(Set(table.columns.map(\.name)), Set(values.keys))
        for column in table.columns {
            try expectEqual(table.value(of: column, in: rows[0]), values[column.name])
            let found = rows.map { table.value(of: column, in: $0).isNull }
            try expect(!found[0], "\(table.name).\(column.name) is absent in the full row")
            if column.isNullable {
                try expect(found.contains(true), "\(table.name).\(column.name) is never absent")
            }
        }
        // Two columns of one kind with one value could be exchanged unseen.
        let seen = table.columns.map { table.value(of: $0, in: rows[0]) }
        let twice = seen.indices.filter { place in
            if case .flag = seen[place] { return false }
            return seen.firstIndex(of: seen[place]) != place
        }
        try expect(twice.isEmpty, "\(table.name) shows one value in several columns: \(twice.map { seen[$0] })")
    }
}
