package import TenureCore
package import TenureStore

/// Records issued or changed after a backup copy of the store was made, which a restore of that copy loses.
///
/// Examples are licenses that were issued since, and renewals. A restore lists them, and `--carry-issued` adds them to the
/// restored store. A feature declares one addition for each table that needs it; referenced tables come first.
package struct RestoreAddition: Sendable {
    /// A record that was issued or changed since the copy was made.
    package struct Item: Sendable, Hashable {
        /// The kind of record, such as `license`.
        package let kind: String
        /// The record's name for operators.
        package let name: String
        /// The key of its row.
        let row: [StoredValue]
        /// What its events are about; `nil` if it has none.
        let record: EventsSince.Record?
        /// Whether the copy lacks the record.
        package let isNew: Bool
        /// What happened, such as `issued`; empty for a change that gives nothing more.
        package let acts: [String]
        /// Its license key, masked.
        package var key: String?
        package var holder: String?
        /// The reference of its order.
        package var order: String?
        /// Who did it last; `nil` if unknown.
        package var actor: String?
        package var at: Timestamp?
        /// Whether the events about the record explain its state in the restored store.
        var isExplained = true
        /// Whether it isn't carried over because the restored store lacks what it belongs to, such as its policy.
        var isOrphan = false
        /// Why it isn't carried over; `nil` if it is, or if nothing is carried over.
        package var obstacle: String?
    }

    /// How the records are reported.
    package enum Detail: Sendable {
        /// One by one, and counted.
        case listed
        /// Counted only; changes are reported one by one.
        case counted
        /// Not at all, because they belong to records that are listed.
        case silent
    }

    /// The kind of record, such as `license`.
    package let kind: String
    package let detail: Detail
    /// The kind of event that each record has once, from its creation; `nil` for none.
    let creationEvent: EventKind?

    /// Compares the stores, adds what may be added, and reports each record afterwards.
    ///
    /// Returns the error if the later store can't be read completely; throws errors of the restored store.
    package let compare:
        @Sendable (_ comparison: RestoreComparison, _ tell: (Item) -> Void) async throws(StoreError) -> StoreError?

    /// Declares an addition by its rows.
    package init<Row, Parent>(_ rows: AddedRows<Row, Parent>) {
        kind = rows.kind
        detail = rows.detail
        creationEvent = rows.creationEvent
        compare = rows.compare
    }
}

/// A restored store, the later store that it's compared with, and what may be added to it.
package struct RestoreComparison: Sendable {
    /// The store that may have changed after the copy was made.
    let later: any Store
    let store: any Store
    /// The later store's events since the copy.
    let history: EventsSince
    /// The events of the later stores that were compared before.
    let earlier: [EventsSince]
    /// The events of all other later stores.
    let others: [EventsSince]
    /// Whether the restored store is changed; otherwise, the additions are only reported.
    let isCarried: Bool
    /// The time after which nothing is carried over; `nil` for no limit.
    let until: Timestamp?
    /// What the restored store has recorded itself; `nil` if it's an old copy that isn't in use.
    var ownHistory: OwnHistory?
    /// The part of ``ownHistory`` that was read last.
    var own: OwnHistory.Events?
    let now: Timestamp
    /// The master key, to decrypt secrets; `nil` if it isn't available.
    let master: MasterKey?
    let features: FeatureSet
    /// The numbers of the new licenses and enrolments that weren't carried over.
    var leftBehind: Set<Int64> = []
    /// The numbers of the later store's records whose requests the restored store has carried out itself since.
    var repeatedHere: Set<Int64> = []
    /// The keys of the rows of the compared kind that were added from an earlier one of several later stores.
    var added: Set<[StoredValue]> = []

    /// Returns why a deep check would call a row damaged; `nil` if it wouldn't.
    ///
    /// - Parameter record: What the row's events are about; `nil` if they aren't checked.
    func fault<Row: Stored>(of row: Row, _ record: EventsSince.Record?) -> String? {
        let inspection = Inspection(at: now, under: master, mayLeap: history.mayLeap)
        let table = Row.table.shape
        // Only this row is read, so a reference to another table may be correct.
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
