package import TenureCore
package import TenureStore

/// One reading of a whole store in search of what no server writes: contradictions, moments that have not come yet, secrets
/// that do not open, what names things that are not there.
///
/// One task uses it at a time; laws of rooms share through it what they have read.
package final class Inspection {
    /// A row that cannot be right.
    package struct Fault: Sendable, Hashable {
        /// In which table.
        package let table: String
        /// Which row, by the name that people have for it, or by its key.
        package let row: String
        /// In which column; nil where it is the row as a whole.
        package let column: String?
        /// What is wrong with it.
        package let sentence: String
    }

    /// What time it is.
    package let now: Timestamp
    /// What opens the secrets; nil where it is not at hand, and they are not opened.
    package let master: MasterKey?
    /// What was found, no more than ``most``.
    package private(set) var faults: [Fault] = []
    /// How many there are beyond those.
    package private(set) var further = 0

    private let mayLeap: Bool
    private var known: [String: Set<Int64>] = [:]
    private var owed: [Int64: Owed] = [:]
    private var partial: Set<String> = []

    private struct Owed {
        let row: String
        let event: EventKind
    }

    /// Begins a reading.
    /// - Parameter mayLeap: Whether an operator accepted a leap of the clock, so that moments may lie in any order.
    package init(at now: Timestamp, under master: MasterKey?, mayLeap: Bool = false) {
        self.now = now
        self.master = master
        self.mayLeap = mayLeap
    }

    /// How many faults are told by name.
    package static let most = 1_000

    /// Takes down a fault.
    package func tell(_ table: TableShape, _ row: String, _ column: String?, _ sentence: String) {
        if faults.count == Self.most {
            further += 1
        } else {
            faults.append(Fault(table: table.name, row: row, column: column, sentence: sentence))
        }
    }

    /// Whether a moment that a server wrote down has not come yet. Clocks that step a little are no damage.
    package func isFuture(_ moment: Timestamp?) -> Bool {
        moment.map { !mayLeap && $0 > now.adding(seconds: Self.step) } ?? false
    }

    /// Whether something was written down as having happened before something that it needs.
    package func isBefore(_ moment: Timestamp?, _ earlier: Timestamp?) -> Bool {
        guard let moment, let earlier, !mayLeap else { return false }
        return moment.adding(seconds: Self.step) < earlier
    }

    private static let step: Int64 = 300

    /// Remembers that something is there, by a number among those of its kind.
    package func remember(_ kind: String, _ number: Int64) { known[kind, default: []].insert(number) }

    /// Whether something was remembered.
    package func knows(_ kind: String, _ number: Int64) -> Bool { known[kind]?.contains(number) ?? false }

    /// Notes that not all rows of a table could be read: that another names one that is not there says nothing then.
    package func doubt(_ table: TableShape) { partial.insert(table.name) }

    /// Whether all rows of some tables were read.
    package func isWhole(_ tables: TableShape...) -> Bool { tables.allSatisfy { !partial.contains($0.name) } }

    /// Says that there must be an event that tells how a license came to be stopped.
    package func owe(_ event: EventKind, about license: LicenseID, in row: String) {
        owed[license.number] = Owed(row: row, event: event)
    }

    /// Meets an event; what it tells is no longer owed.
    package func meet(_ event: Event) {
        if let license = event.subject.license, owed[license.number]?.event == event.kind {
            owed[license.number] = nil
        }
    }

    /// Tells of events that were owed and not met.
    package func tellOwed(in table: TableShape) {
        for owed in owed.values.sorted(by: { $0.row < $1.row }) {
            tell(table, owed.row, nil, "there is no event \(owed.event) that tells of it")
        }
        owed = [:]
    }
}

/// What holds of every row of a table, whatever the server did: a row of which it does not hold is damaged.
package struct RowLaw {
    /// Whose rows.
    package let table: TableShape
    /// Looks at a row.
    package let look: (StoredRow) -> Void
    /// Looks at what all rows came to.
    package let end: () -> Void

    /// States a law.
    /// - Parameters:
    ///   - name: By what people name a row.
    ///   - look: Tells of each column that is wrong, in words that go on after its name.
    ///   - end: Called when all rows of the table were read.
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
