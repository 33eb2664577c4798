package import TenureStore

/// A condition that all rows of a table meet. A row that violates the condition is damaged.
package struct RowInvariant {
    /// The table whose rows are checked.
    package let table: TableShape
    /// Checks one row; ignores rows of other tables.
    package let look: (StoredRow) -> Void
    /// Checks conditions on all rows of the table. Called after the last row.
    package let end: () -> Void
    /// Examples of damage that the invariant must detect, for tests.
    package let damages: [Damage]
    /// The reason why the table has no rules beyond its columns' types and references; `nil` if it has rules.
    package let exemption: String?

    /// A way to break a rule, and the table and column for which the inspection must report it.
    package struct Damage: Sendable {
        /// The table whose rows the violation changes.
        package let table: TableShape
        package let violation: Violation
        /// The table for which the fault is reported.
        package let reportedTable: TableShape
        package let column: String?

        /// Declares damage to a table that is reported for the same table, or for `other`.
        package init<Row: Stored>(
            of row: Row.Type, _ violation: Violation, told other: TableShape? = nil, column: String? = nil
        ) {
            table = Row.table.shape
            reportedTable = other ?? table
            (self.violation, self.column) = (violation, column)
        }
    }

    /// Declares an invariant.
    ///
    /// - Parameters:
    ///   - inspection: Receives the faults.
    ///   - name: Returns a name of a row for people.
    ///   - rules: The rules for single rows.
    ///   - note: Called with each row before its rules are checked, to collect data for later checks.
    ///   - damages: Damage that no rule for single rows detects, but `end` or the rows of other tables do.
    ///   - end: Called after all rows of the table have been read.
    package init<Row: Stored>(
        _: Row.Type, in inspection: Inspection, named name: @escaping (Row) -> String, _ rules: [RowRule<Row>],
        note: @escaping (Row) -> Void = { _ in }, damages: [Damage] = [], end: @escaping () -> Void = {}
    ) {
        table = Row.table.shape
        self.end = end
        self.damages = rules.map { Damage(of: Row.self, $0.violation, column: $0.column) } + damages
        exemption = nil
        look = { stored in
            guard let row = stored.row(of: Row.self) else { return }
            note(row)
            for rule in rules {
                guard let sentence = rule.fault(row, inspection) else { continue }
                inspection.tell(Row.table.shape, name(row), rule.column, sentence)
            }
        }
    }

    /// Declares that a table needs no rules beyond its columns' types and references.
    package init<Row: Stored>(_: Row.Type, exempt reason: String) {
        (table, damages, exemption) = (Row.table.shape, [], reason)
        look = { _ in }
        end = {}
    }

    /// Declares a check of a table's rows as they're stored, independent of a row type.
    init(_ table: TableShape, look: @escaping (StoredRow) -> Void) {
        (self.table, self.look) = (table, look)
        (damages, exemption, end) = ([], nil, {})
    }
}
