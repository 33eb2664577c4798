package import TenureCore
package import TenureStore

/// A rule that keeps a restore of a backup from undoing changes such as revocations of licenses.
///
/// These changes are carried over from the replaced store, called the later store here, to the restored store. A
/// feature declares one exclusion per table that needs it.
package struct RestoreExclusion: Sendable {
    /// A record to which a change was carried over.
    package struct Item: Sendable, Hashable {
        /// The kind of record, such as `license`.
        package let kind: String
        /// The record's name for operators.
        package let name: String
        /// The act on the record after the backup was made, such as `revoked`.
        package let act: String
        /// Whether the restored store stays unchanged, because it has another record with the same key.
        package let isLeftOut: Bool

        package init(kind: String, name: String, act: String, isLeftOut: Bool = false) {
            self.kind = kind
            self.name = name
            self.act = act
            self.isLeftOut = isLeftOut
        }
    }

    /// The records to which changes were carried over, and the events that explain them.
    package struct Result: Sendable, Hashable {
        /// The changed records.
        package var items: [Item] = []
        /// The kinds of the later store's events that explain the state of a record in the restored store.
        package var events: [EventsSince.Record: Set<EventKind>] = [:]

        package init() {}
    }

    /// The record that a row's events are about, and the kinds of events that explain the row's state.
    package typealias Explanation = (record: EventsSince.Record, kinds: Set<EventKind>)

    /// The kind of record, such as `license`.
    package let kind: String

    /// The name of the table whose rows the exclusion changes.
    package let table: String

    /// Carries over changes from the later store to the restored store. Adds each change to the result after it's
    /// saved.
    ///
    /// Returns the error if the later store can't be read completely. Throws errors of the restored store.
    package let carry:
        @Sendable (_ comparison: WithdrawalComparison, _ result: inout Result) async throws(StoreError) -> StoreError?

    /// Declares an exclusion with a custom function; see ``carry``.
    package init<Row: Stored>(
        _ kind: String, of _: Row.Type,
        carry: @escaping @Sendable (WithdrawalComparison, inout Result) async throws(StoreError) -> StoreError?
    ) {
        self.kind = kind
        table = Row.table.shape.name
        self.carry = carry
    }

    /// Declares an exclusion for rows that both stores contain, and for rows that the later store has deleted.
    ///
    /// - Parameters:
    ///   - filter: The conditions for selecting the later store's rows; empty for every row.
    ///   - name: Returns a row's name for operators.
    ///   - record: Returns the record that the events of the later store's row are about; `nil` if the row has no
    ///     events.
    ///   - gone: Returns the new state of a restored row that the later store has deleted; `nil` for no change.
    ///     `sharedUntil` is the time until which both stores had the same history; `nil` if the restored store is an
    ///     old copy.
    ///   - explained: Returns the kinds of the later store's events that explain the row's state; `nil` for no such
    ///     events.
    ///   - decide: Returns the new state of a restored row and the acts that led to it, given the later store's row
    ///     with the same key; `nil` for no change.
    package init<Row: Stored & Equatable>(
        _ kind: String, of _: Row.Type, where filter: [[Comparison]] = [],
        named name: @escaping @Sendable (Row) -> String,
        about record: @escaping @Sendable (Row) -> EventsSince.Record? = { _ in nil },
        gone: (@Sendable (_ copied: Row, _ now: Timestamp, _ sharedUntil: Timestamp?) -> Row?)? = nil,
        explained: @escaping @Sendable (_ copied: Row, _ later: Row, _ changes: RecordChanges) -> Explanation? = {
            _, _, _ in nil
        },
        decide: @escaping @Sendable (_ copied: Row, _ later: Row, _ changes: RecordChanges) -> (Row, acts: [String])?
    ) {
        var rows = CarriedRows(kind, filter, under: TenantRow.table.key, parent: nil, name, record, gone) {
            copied, later, changes in copied.flatMap { decide($0, later, changes) }
        }
        rows.explained = explained
        self.init(kind, of: Row.self, carry: rows.carry)
    }

    /// Declares an exclusion for rows that the backup may lack, such as keys that no longer work.
    ///
    /// A missing row is added only if the restored store has the row's parent.
    ///
    /// - Parameters:
    ///   - key: The key of the parent table.
    ///   - parent: Returns the key of a row's parent.
    ///   - name: Returns a row's name for operators.
    ///   - record: Returns the record that the events of the later store's row are about; `nil` if the row has no
    ///     events.
    ///   - decide: Returns the new state of a restored row, and the acts that led to it; `nil` for no change. The
    ///     first argument is the restored row (`nil` if it's missing), and the second is the later store's row.
    package init<Row: Stored & Equatable, Parent: Stored>(
        adding kind: String, of _: Row.Type, under key: Key<Parent>, parent: @escaping @Sendable (Row) -> [StoredValue],
        named name: @escaping @Sendable (Row) -> String,
        about record: @escaping @Sendable (Row) -> EventsSince.Record? = { _ in nil },
        decide: @escaping @Sendable (_ copied: Row?, _ later: Row, _ changes: RecordChanges) -> (Row, acts: [String])?
    ) {
        let rows = CarriedRows(kind, [], under: key, parent: parent, name, record, nil, decide)
        self.init(kind, of: Row.self, carry: rows.carry)
    }
}

/// A restored store, and the later store whose withdrawals are carried over to it.
package struct WithdrawalComparison: Sendable {
    /// The store that may have changed after the copy was made.
    package let later: any Store
    package let store: any Store
    package let now: Timestamp
    /// The events that the restored store has recorded since its history split from the later store's, if it's in use;
    /// `nil` for an old copy.
    package let own: OwnHistory?

    /// The time until which both stores had the same history; `nil` if the restored store is an old copy.
    package var sharedUntil: Timestamp? { own?.sharedUntil }
}
