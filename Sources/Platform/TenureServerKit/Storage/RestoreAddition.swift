package import TenureCore
package import TenureStore

/// Compares a table to find records that were issued or changed after a backup was made, and that a restore of it
/// would lose.
///
/// Examples are licenses that were issued since, and renewals. A restore lists these records, and `--carry-issued`
/// adds them to the restored store. A feature declares one addition per table that needs it. Referenced tables come
/// first.
package struct RestoreAddition: Sendable {
    /// A record that was issued or changed after the backup was made.
    package struct Item: Sendable, Hashable {
        /// The kind of record, such as `license`.
        package let kind: String
        /// The record's name for operators.
        package let name: String
        /// The key of the record's row.
        let row: [StoredValue]
        /// The record that the row's events are about; `nil` if the row has no events.
        let record: EventsSince.Record?
        /// Whether the restored copy lacks the record.
        package let isNew: Bool
        /// The acts on the record, such as `issued`; empty for a change that grants nothing more.
        package let acts: [String]
        /// The record's license key, masked; `nil` if it has none.
        package var key: String?
        package var holder: String?
        /// The reference of the record's order; `nil` if it has none.
        package var order: String?
        /// The actor of the last act; `nil` if unknown.
        package var actor: String?
        package var at: Timestamp?
        /// Whether the events about the record explain its state in the restored store.
        var isExplained = true
        /// Whether the record isn't carried over because the restored store lacks the record it belongs to, such as
        /// its policy.
        var isOrphan = false
        /// The reason why the record isn't carried over; `nil` if it is, or if records are only reported.
        package var obstacle: String?
    }

    /// The way in which a report shows the records.
    package enum Detail: Sendable {
        /// The records are listed one by one, and counted.
        case listed
        /// New records are only counted. Changed records are also listed one by one.
        case counted
        /// The records aren't shown, because they belong to records that are listed.
        case silent
    }

    /// The kind of record, such as `license`.
    package let kind: String
    package let detail: Detail
    /// The kind of event that each record has once, from its creation; `nil` for no such kind.
    let creationEvent: EventKind?

    /// Compares the stores, adds the rows that may be added, and then reports each record.
    ///
    /// Returns the error if the later store can't be read completely. Throws errors of the restored store.
    package let compare:
        @Sendable (_ comparison: RestoreComparison, _ tell: (Item) -> Void) async throws(StoreError) -> StoreError?

    /// Declares an addition by the rows of a table.
    package init<Row, Parent>(_ rows: AddedRows<Row, Parent>) {
        kind = rows.kind
        detail = rows.detail
        creationEvent = rows.creationEvent
        compare = rows.compare
    }
}

/// A restored store, the later store that it's compared with, and the conditions for adding rows.
package struct RestoreComparison: Sendable {
    /// The store that may have changed after the copy was made.
    let later: any Store
    let store: any Store
    /// The later store's events since the backup was made.
    let history: EventsSince
    /// The events of the later stores that were compared earlier.
    let earlier: [EventsSince]
    /// The events of all other later stores.
    let others: [EventsSince]
    /// Whether rows are added to the restored store. Otherwise, they're only reported.
    let isCarried: Bool
    /// The time after which changes aren't carried over; `nil` for no limit.
    let until: Timestamp?
    /// The events that the restored store has recorded since its history split from the later store's, if it's in use;
    /// `nil` for an old copy.
    var ownHistory: OwnHistory?
    /// The events of ``ownHistory`` as of the last read; `nil` before the first read, and for an old copy.
    var own: OwnHistory.Events?
    let now: Timestamp
    /// The master key for decrypting secrets; `nil` if it isn't available.
    let master: MasterKey?
    let features: FeatureSet
    /// The numbers of the new licenses and enrolments that weren't carried over.
    var leftBehind: Set<Int64> = []
    /// The numbers of the later store's records whose requests the restored store has carried out again since.
    var repeatedHere: Set<Int64> = []
    /// The keys of the rows of the compared kind that were added from other later stores before.
    var added: Set<[StoredValue]> = []

    /// Returns a sentence about the damage that a deep check would report for a row; `nil` for a sound row.
    ///
    /// - Parameter record: The record whose events must explain the row; `nil` to skip that check.
    func fault<Row: Stored>(of row: Row, _ record: EventsSince.Record?) -> String? {
        let inspection = Inspection(at: now, under: master, mayLeap: history.mayLeap)
        let table = Row.table.shape
        // Only this row is read, so references to other tables can't be checked.
        for other in features.schema.tables where other !== table { inspection.doubt(other) }
        for invariant in RowInvariant.all(inspection, of: features) where invariant.table === table {
            invariant.look(row.stored)
        }
        if let record, history.fault == nil, !history.hasRestore {
            for record in history[record] { inspection.meet(record.event) }
            inspection.tellOwed(in: table)
        }
        return inspection.faults.first.map { fault in
            "it is damaged: " + (fault.column.map { "\($0) " } ?? "") + fault.sentence
        }
    }
}
