/// Raises the values of many rows, each to its new value. A row with a higher value keeps it, and missing rows are
/// inserted.
///
/// A crash of the host may lose it, because both engines acknowledge it without waiting for the disk.
public struct LossyUpdate: Sendable {
    /// The table of the rows, whose columns are a key and the value to raise.
    public let table: TableShape
    /// The keys of the rows, each with the value to raise it to; no key occurs twice.
    public let raises: [(key: StoredValue, value: StoredValue)]

    /// Creates an update for a table of a key and a value.
    public init<Row, Key: Storable, Value: Storable>(
        _ table: Table<Row>, _ raises: some Sequence<(key: Key, value: Value)>
    ) {
        precondition(table.shape.keyColumns == [0] && table.shape.columns.count == 2, "the rows are a key and a value")
        self.table = table.shape
        self.raises = raises.map { (key: $0.key.storedValue, value: $0.value.storedValue) }
    }
}

/// A lossy update that is queued for the writer thread.
package struct WaitingNote: Sendable {
    /// The whole update, including raises that have been written already.
    package let note: LossyUpdate
    /// The raises that haven't been written yet.
    ///
    /// A large update is written in portions, so that no change waits long for it. The raises are sorted by key, so
    /// that a portion touches neighboring rows and few pages.
    package private(set) var rest: ArraySlice<(key: StoredValue, value: StoredValue)>
    /// The caller, which waits until the whole update is written or a portion fails.
    package let caller: CheckedContinuation<Result<Void, StoreError>, Never>

    /// Creates the queue's entry for an update, with its raises sorted by key.
    package init(_ note: LossyUpdate, caller: CheckedContinuation<Result<Void, StoreError>, Never>) {
        self.note = note
        rest = note.raises.sorted { $0.key < $1.key }[...]
        self.caller = caller
    }

    /// Removes and returns the next portion of ``rest``, which is empty if everything has been written.
    package mutating func nextPortion() -> ArraySlice<(key: StoredValue, value: StoredValue)> {
        let portion = rest.prefix(Self.portion)
        rest = rest.dropFirst(Self.portion)
        return portion
    }

    private static let portion = 4_000
}
