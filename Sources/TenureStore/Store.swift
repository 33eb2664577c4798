/// Keeps the rows of declared tables: one promise, kept by several engines, that knows no record.
///
/// What every engine promises, and `StoreContract` in `TenureTesting` checks:
/// * A change is durable (synced to disk) before ``perform(_:)`` returns, together with its events, or it did not happen.
/// * Changes happen one after the other: a decision sees everything saved before it and nothing else. Where several servers
///   share a store, that holds of rows that are found by a key, of what belongs to them, and of what a ``Guard`` names; an
///   insert whose key another server took meanwhile is decided again.
/// * A read sees every change that was acknowledged before it began.
/// * Rows of an append-only table have ever growing numbers; a reader that asks for those after a number it has seen
///   misses none.
///
/// Every function throws ``StoreError``; after `.busy` and `.unavailable` the caller may try again, and nothing was changed.
public protocol Store: Reading {
    /// Carries out one change: loads what it names, lets it decide, saves what it decided, waits for the disk.
    ///
    /// An engine may carry many changes in one transaction. One that cannot be saved fails alone: with `.taken` when
    /// another row has the values of a key, with `.inUse` when a row that others name was to go.
    func perform<Answer: Sendable>(_ change: Change<Answer>) async throws(StoreError) -> Answer

    /// Reads what a form asks for: few rows, by keys and sets, all of one moment. Guards are not taken.
    func look(_ asked: Asked) async throws(StoreError) -> Seen

    /// Raises a column of many rows. The only write that may be lost: no device waits for it.
    func note(_ note: Note) async throws(StoreError)

    /// Takes hold of this moment of the store, to be read page by page while others go on writing.
    func snapshot() async throws(StoreError) -> any StoreSnapshot

    /// Saves rows that another store held, as they were, with their numbers.
    ///
    /// Meant for a store that nobody else uses yet, tables that are named before those that name them. The rows are saved
    /// whole or not at all, and durable before this returns; saving them again changes nothing. Rows that are appended
    /// afterwards have higher numbers. Fails with `.taken` when another row has the values of a key.
    func adopt(_ rows: [StoredRow], of table: TableShape) async throws(StoreError)

    /// Copies the whole store into one new file while others go on reading and writing.
    ///
    /// The file appears under its name when it is whole and synced to disk. An existing one is never overwritten
    /// (`.exists`).
    /// - Parameter progress: Called now and then with the share done, 0...1.
    func backup(to path: String, progress: @Sendable (Double) -> Void) async throws(StoreError)

    /// Checks the integrity of the store, or of one table of it: pages, indexes against their tables, constraints,
    /// references. Answers what is wrong, empty when nothing is. Reads all that it checks.
    func integrityFaults(of table: TableShape?) async throws(StoreError) -> [String]

    /// What time it is, in POSIX seconds, where the store is; nil where that is this machine.
    func time() async throws(StoreError) -> Int64?

    /// The term in which this server leads in a role now, nil when another does; asked before each piece of its work.
    ///
    /// Of all servers on one store at most one is told a term at a time; when it dies another is told the next one within
    /// ten seconds, if it keeps asking. A server that cannot reach the store is told none. What a leader changes it fences
    /// by its term (``LeaderTerm``), for it may lose the lead in the middle of a piece.
    func lead(_ role: Role) async -> LeaderTerm?

    /// Waits for changes under way, then lets go of everything. Nothing may be asked of the store afterwards.
    func close() async
}

/// What can be asked page by page, of a store as it is or of one moment of it.
public protocol Reading: Sendable {
    /// Lists a page of rows; see ``list(_:)`` for rows with their type.
    func rows(_ listing: ListingShape) async throws(StoreError) -> [StoredRow]

    /// Asks a written query; see ``view(_:_:)`` for answers with their type.
    /// - Parameter list: What it is asked about, flat: a row's values one after the other.
    func answers(_ view: ViewShape, _ list: [StoredValue]) async throws(StoreError) -> [any Sendable]
}

extension Reading {
    /// Lists a page of rows.
    public func list<Row>(_ listing: Listing<Row>) async throws(StoreError) -> [Row] {
        try await rows(listing.shape).map { unsafeDowncast($0, to: TypedRow<Row>.self).row }
    }

    /// Lists all rows of a set, page by page, in the order of the set.
    ///
    /// Meant for what is known to be few: all pages are held at once.
    public func all<Row>(
        _ set: RowSet<Row>, _ values: [StoredValue] = [], where filter: [[Comparison]] = []
    ) async throws(StoreError) -> [Row] {
        let pageSize = 1_000
        var found: [Row] = []
        var cursor: [StoredValue] = []
        while true {
            let page = try await rows(
                Listing(set, values, where: filter, after: cursor, limit: pageSize).shape)
            found += page.map { unsafeDowncast($0, to: TypedRow<Row>.self).row }
            guard page.count == pageSize, let last = page.last else { return found }
            cursor = set.shape.order.map { set.shape.table.columns[$0.column].value(last) }
        }
    }

    /// Asks a written query.
    public func view<Row>(_ view: View<Row>, _ list: [StoredValue] = []) async throws(StoreError) -> [Row] {
        try await answers(view.shape, list).compactMap { $0 as? Row }
    }
}

/// One moment of a store, whatever others write meanwhile.
///
/// It holds resources of the store until ``end()``: call that in any case. What is read afterwards throws `.closed`.
public protocol StoreSnapshot: Reading {
    /// Counts the rows of a table; reads them all, so it takes a moment on a large store.
    func count(of table: TableShape) async throws(StoreError) -> Int

    /// Lets the moment go.
    func end() async
}

extension Reading {
    /// Reads a table for copying: rows in the order of the key, behind a row.
    package func page(
        of table: TableShape, after row: StoredRow?, isBackwards: Bool = false, limit: Int
    ) async throws(StoreError) -> [StoredRow] {
        try await rows(ListingShape(copying: table, after: row, isBackwards: isBackwards, limit: limit))
    }
}
