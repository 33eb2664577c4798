package import TenureCore
package import TenureStore

/// One pass over a whole store that looks for rows which no server writes.
///
/// Examples are contradictions, dates in the future, secrets that can't be decrypted and references to missing rows.
/// One task uses it at a time. The features' invariants share what they have read through it.
package final class Inspection {
    /// A damaged row.
    package struct Fault: Sendable, Hashable {
        package let table: String
        /// The row's name for people, or its key.
        package let row: String
        /// The column; `nil` if it concerns the row as a whole.
        package let column: String?
        package let sentence: String
    }

    package let now: Timestamp
    /// Decrypts the secrets; `nil` if it isn't available, and then secrets aren't checked.
    package let master: MasterKey?
    /// What was found, at most ``most`` faults.
    package private(set) var faults: [Fault] = []
    /// How many more faults there are.
    package private(set) var further = 0

    private let mayLeap: Bool
    private var known: [String: Set<Int64>] = [:]
    private var owed: [Int64: Owed] = [:]
    private var partial: Set<String> = []

    private struct Owed {
        let row: String
        let event: EventKind
    }

    /// Starts an inspection.
    ///
    /// - Parameter mayLeap: Whether an operator has accepted a clock change, so that dates may be in any order.
    package init(at now: Timestamp, under master: MasterKey?, mayLeap: Bool = false) {
        self.now = now
        self.master = master
        self.mayLeap = mayLeap
    }

    /// How many faults are listed individually.
    package static let most = 1_000

    /// Records a fault.
    package func tell(_ table: TableShape, _ row: String, _ column: String?, _ sentence: String) {
        if faults.count == Self.most {
            further += 1
        } else {
            faults.append(Fault(table: table.name, row: row, column: column, sentence: sentence))
        }
    }

    /// Whether a recorded date is more than 300 s in the future.
    ///
    /// Smaller clock steps aren't damage.
    package func isFuture(_ moment: Timestamp?) -> Bool {
        moment.map { !mayLeap && $0 > now.adding(seconds: Self.step) } ?? false
    }

    /// Whether a date is more than 300 s before an earlier one that it depends on.
    package func isBefore(_ moment: Timestamp?, _ earlier: Timestamp?) -> Bool {
        guard let moment, let earlier, !mayLeap else { return false }
        return moment.adding(seconds: Self.step) < earlier
    }

    private static let step: Int64 = 300

    /// Remembers that something exists, by its number within its kind.
    package func remember(_ kind: String, _ number: Int64) { known[kind, default: []].insert(number) }

    /// Whether something was remembered.
    package func knows(_ kind: String, _ number: Int64) -> Bool { known[kind]?.contains(number) ?? false }

    /// Notes that some rows of a table couldn't be read, so references to missing rows of it aren't reported.
    package func doubt(_ table: TableShape) { partial.insert(table.name) }

    /// Whether all rows of some tables were read.
    package func isWhole(_ tables: TableShape...) -> Bool { tables.allSatisfy { !partial.contains($0.name) } }

    /// Expects an event that explains why a license was stopped.
    package func owe(_ event: EventKind, about license: LicenseID, in row: String) {
        owed[license.number] = Owed(row: row, event: event)
    }

    /// Handles an event; an expectation that it meets is dropped.
    package func meet(_ event: Event) {
        if let license = event.subject.license, owed[license.number]?.event == event.kind {
            owed[license.number] = nil
        }
    }

    /// Reports the expected events that weren't found.
    package func tellOwed(in table: TableShape) {
        for owed in owed.values.sorted(by: { $0.row < $1.row }) {
            tell(table, owed.row, nil, "there is no \(owed.event) event for it")
        }
        owed = [:]
    }
}

/// An invariant of a table's rows.
///
/// A row that violates it is damaged.
package struct RowInvariant {
    /// The table whose rows are checked.
    package let table: TableShape
    /// Checks a row.
    package let look: (StoredRow) -> Void
    /// Checks what only all rows show.
    package let end: () -> Void

    /// Declares an invariant.
    ///
    /// - Parameters:
    ///   - name: Returns a row's name for people.
    ///   - end: Called after all rows of the table have been read.
    ///   - look: Reports each wrong column, in words that continue after its name.
    package init<Row: Stored>(
        _: Row.Type, in inspection: Inspection, named name: @escaping (Row) -> String, end: @escaping () -> Void = {},
        _ look: @escaping (Row, _ tell: (_ column: String, _ sentence: String) -> Void) -> Void
    ) {
        table = Row.table.shape
        self.end = end
        self.look = { stored in
            guard let row = stored.row(of: Row.self) else { return }
            look(row) { column, sentence in inspection.tell(Row.table.shape, name(row), column, sentence) }
        }
    }
}
