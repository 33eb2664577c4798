package import TenureCore
package import TenureStore

/// What restoring a backup copy of the store must not bring back, such as licenses revoked since the copy was made.
///
/// To prevent this, such changes are carried over from the replaced store, called the later store here, to the restored
/// one. A feature declares one exclusion for each table that needs it.
package struct RestoreExclusion: Sendable {
    /// A record to which a change was carried over.
    package struct Item: Sendable, Hashable {
        /// The kind of record, such as `license`.
        package let kind: String
        /// The record's name for operators.
        package let name: String
        /// What happened to the record after the copy was made, such as `revoked`.
        package let act: String
        /// Whether the restored store stays as it is, because it has another record under the same key.
        package let isLeftOut: Bool

        package init(kind: String, name: String, act: String, isLeftOut: Bool = false) {
            self.kind = kind
            self.name = name
            self.act = act
            self.isLeftOut = isLeftOut
        }
    }

    /// The records to which changes were carried over.
    package struct Result: Sendable, Hashable {
        /// The changed records.
        package var items: [Item] = []
        /// The kinds of the later store's events that explain the state of a record in the restored store.
        package var events: [EventsSince.Record: Set<EventKind>] = [:]

        package init() {}
    }

    /// The record of a row's events, and the kinds of those that explain its state.
    package typealias Explanation = (record: EventsSince.Record, kinds: Set<EventKind>)

    /// The kind of record, such as `license`.
    package let kind: String

    /// The name of the table whose rows it changes.
    package let table: String

    /// Carries over changes from the later store to the restored one, and adds each to the result after it's saved.
    ///
    /// Returns the error if the later store can't be read completely; throws errors of the restored store.
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
    ///   - filter: The conditions for the later store's rows to compare; empty for all rows.
    ///   - name: Returns a row's name for operators.
    ///   - record: Returns what the events of the later store's row are about; `nil` if it has none.
    ///   - gone: Returns the new state of a restored row that the later store has deleted; `nil` for no change. The
    ///     time is that until which both stores had the same history; `nil` if the restored one is an old copy.
    ///   - explained: Returns which of the later store's events explain the row's state; `nil` if none does.
    ///   - decide: Returns the new state of a restored row and what happened, given the later store's row with the same
    ///     key; `nil` for no change.
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

    /// Declares an exclusion for rows that the copy may lack, such as keys that no longer work.
    ///
    /// A missing row is added only if the restored store has its parent row.
    ///
    /// - Parameters:
    ///   - key: The key of the parent table.
    ///   - parent: Returns the key of a row's parent.
    ///   - name: Returns a row's name for operators.
    ///   - record: Returns what the events of the later store's row are about; `nil` if it has none.
    ///   - decide: Returns the new state of the restored row, which is `nil` if it's missing, and what happened, given
    ///     the later store's row; `nil` for no change.
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

/// A restored store, and the later store whose withdrawals it gets.
package struct WithdrawalComparison: Sendable {
    /// The store that may have changed after the copy was made.
    package let later: any Store
    package let store: any Store
    package let now: Timestamp
    /// What the restored store has recorded itself; `nil` if it's an old copy that isn't in use.
    package let own: OwnHistory?

    /// The time until which both stores had the same history; `nil` if the restored one is an old copy.
    package var sharedUntil: Timestamp? { own?.sharedUntil }
}
