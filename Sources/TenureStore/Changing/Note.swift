/// Raises one column of many rows, each to a moment or number of its own; a row that stands higher already is left alone.
///
/// The only write that may be lost: nobody waits for the disk.
public struct Note: Sendable {
    /// Whose rows.
    public let table: TableShape
    /// The place of the column that is raised.
    public let column: Int
    /// The rows' keys with the values to raise to.
    public let raises: [(key: StoredValue, value: StoredValue)]

    /// States a note about rows of a table whose key is one column.
    public init<Row, Key: Storable, Value: Storable>(
        _ table: Table<Row>, _ column: String, _ raises: some Sequence<(key: Key, value: Value)>
    ) {
        precondition(table.shape.keyColumns.count == 1, "a note is about rows with a key of one column")
        self.table = table.shape
        self.column = table.shape.place(of: column)
        self.raises = raises.map { (key: $0.key.storedValue, value: $0.value.storedValue) }
    }
}

/// A note that waits to be written down.
package struct WaitingNote: Sendable {
    /// What is noted.
    package let note: Note
    /// What is left to write; a large note is written in portions, so that no change waits long for it.
    ///
    /// In the order of the keys, so that a portion touches neighbouring rows: many to a page instead of a page for each.
    package private(set) var rest: ArraySlice<(key: StoredValue, value: StoredValue)>
    /// Who waits for it.
    package let caller: CheckedContinuation<Result<Void, StoreError>, Never>

    /// Puts the note's rows in order.
    package init(_ note: Note, caller: CheckedContinuation<Result<Void, StoreError>, Never>) {
        self.note = note
        rest = note.raises.sorted { $0.key < $1.key }[...]
        self.caller = caller
    }

    /// Takes the next portion off.
    package mutating func nextPortion() -> ArraySlice<(key: StoredValue, value: StoredValue)> {
        let portion = rest.prefix(Self.portion)
        rest = rest.dropFirst(Self.portion)
        return portion
    }

    private static let portion = 4_000
}
