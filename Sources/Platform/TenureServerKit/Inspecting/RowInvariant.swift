package import TenureStore

/// A condition that a table's rows always meet; a row that violates it is damaged.
package struct RowInvariant {
    /// The table whose rows are checked.
    package let table: TableShape
    /// Checks one row; ignores rows of other tables.
    package let look: (StoredRow) -> Void
    /// Checks what depends on all rows of the table; called after the last row.
    package let end: () -> Void
    /// How the rules can be broken.
    package let damages: [Damage]
    /// Why the table has no rules beyond its columns' types and references; `nil` if it has some.
    package let exemption: String?

    /// A way to break a rule, and where the check must report it.
    package struct Damage: Sendable {
        /// The table that the violation damages.
        package let table: TableShape
        package let violation: Violation
        /// The table and column that are reported; no column if the fault concerns a whole row.
        package let reportedTable: TableShape
        package let column: String?

        /// Damage of a table, reported for that table or another one.
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
    ///   - note: Called with each row before its rules are checked, to collect what later checks need.
    ///   - damages: How to break what isn't a rule for single rows: what `end` or the rows of other tables show.
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

    /// Declares a check of any table's rows.
    init(_ table: TableShape, look: @escaping (StoredRow) -> Void) {
        (self.table, self.look) = (table, look)
        (damages, exemption, end) = ([], nil, {})
    }
}
