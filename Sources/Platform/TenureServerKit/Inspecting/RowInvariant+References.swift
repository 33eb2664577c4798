import TenureStore

extension RowInvariant {
    /// Rows refer to existing rows, as the table's foreign keys declare.
    ///
    /// The databases enforce these references, unless a constraint was dropped or disabled.
    static func references(of table: TableShape, _ inspection: Inspection, isReferenced: Bool) -> RowInvariant {
        RowInvariant(table) { row in
            if isReferenced { inspection.remember(table.name, number(of: table.key(of: row))) }
            for reference in table.foreignKeys {
                let values = table.values(of: row, at: reference.columns)
                guard !values.holdNull, inspection.isWhole(reference.table),
                    !inspection.knows(reference.table.name, number(of: values))
                else { continue }
                let columns = reference.columns.map { table.columns[$0].name }.joined(separator: ", ")
                inspection.tell(
                    table, table.name(of: row), columns, "refers to a row of \(reference.table.name) that doesn't exist"
                )
            }
        }
    }

    private static func number(of key: StoredValues) -> Int64 { Int64(key.hashValue) }
}
