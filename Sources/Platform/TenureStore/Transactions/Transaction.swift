/// A transaction in three steps: the queries to run, a pure decision, and the rows to save.
///
/// ```swift
/// try await store.perform(
///     Transaction(plan.bind(.init(hash: hash, product: product))) { results in
///         guard let license = results[plan.queries.license] else { return TransactionResult(nil) }
///         let (suspended, event) = license.suspend(by: actor, at: now)
///         return TransactionResult(suspended, [.replace(license, by: suspended), .append(event)])
///     })
/// ```
public struct Transaction<Answer: Sendable>: Sendable {
    /// The bound plan that loads the rows for the decision.
    public let bound: BoundQuery

    /// Whether other transactions go first; set for background maintenance.
    public let yields: Bool

    /// Whether a crash of the host may lose the change after it was acknowledged; set where the next write makes up for
    /// the loss.
    ///
    /// SQLite then commits without waiting for the disk, unless another change in the same commit isn't lossy.
    /// PostgreSQL waits.
    public let isLossy: Bool

    /// Decides from the loaded rows; returns the answer and the rows to save.
    ///
    /// It must be pure: an engine calls it on its own thread, possibly more than once.
    public let decide: @Sendable (QueryResult) -> TransactionResult<Answer>

    /// Creates a transaction from the queries to run and the decision.
    public init(
        _ bound: BoundQuery, yielding yields: Bool = false, lossy isLossy: Bool = false,
        decide: @escaping @Sendable (QueryResult) -> TransactionResult<Answer>
    ) {
        self.bound = bound
        self.yields = yields
        self.isLossy = isLossy
        self.decide = decide
    }

    /// Creates a transaction that loads nothing.
    public init(decide: @escaping @Sendable () -> TransactionResult<Answer>) {
        self.init(Self.blind.bind()) { _ in decide() }
    }

    private static var blind: QueryPlan<Void, Void> { blindForm }
}

private let blindForm = QueryPlan { _ in }

/// The result of a decision: the answer, and the rows to save before it is returned.
public struct TransactionResult<Answer: Sendable>: Sendable {
    /// The value that ``Store/perform(_:)`` returns.
    public let answer: Answer

    /// The rows to save, in the order in which they take effect; empty if nothing changes.
    public let saves: [RowWrite]

    /// Creates a result; without `saves`, nothing is written.
    public init(_ answer: Answer, _ saves: [RowWrite] = []) {
        self.answer = answer
        self.saves = saves
    }
}

/// One row that a transaction saves, with its previous state.
///
/// From both states, an engine knows which sets the row leaves and enters, and writes only the columns that differ.
public struct RowWrite: Sendable {
    /// The table that the row belongs to.
    public let table: TableShape
    /// The row's previous state; `nil` for a new row.
    public let before: StoredRow?
    /// The row's new state; `nil` to delete it.
    public let after: StoredRow?
    /// Whether the row's folds are written although they don't differ.
    package let refolds: Bool

    private init<Row: Stored>(_ before: Row?, _ after: Row?, refolds: Bool = false) {
        self.refolds = refolds
        table = Row.table.shape
        self.before = before.map { TypedRow($0) }
        self.after = after.map { TypedRow($0) }
    }

    /// A write that inserts a new row.
    ///
    /// If one of its unique keys is taken in the meantime, the change is decided again and sees the row with that key.
    /// If it still inserts, it fails with `.taken`.
    public static func insert<Row: Stored>(_ row: Row) -> RowWrite { RowWrite(nil, row) }

    /// A write that replaces a loaded row with a new state, which must have the same key.
    public static func replace<Row: Stored>(_ before: Row, by after: Row) -> RowWrite { RowWrite(before, after) }

    /// A write that inserts a new row, or replaces the one that was loaded.
    public static func put<Row: Stored>(_ row: Row, over before: Row?) -> RowWrite { RowWrite(before, row) }

    /// A write of the folds of a loaded row, because an earlier version may have written other folds.
    package static func refold<Row: Stored>(_ row: Row) -> RowWrite { RowWrite(row, row, refolds: true) }

    /// A write that deletes a loaded row; the change fails with `.inUse` if other rows refer to it.
    public static func remove<Row: Stored>(_ row: Row) -> RowWrite { RowWrite(row, nil) }

    /// A write that adds a row to an append-only table; the engine assigns its number.
    public static func append<Row: Stored>(_ row: Row) -> RowWrite { RowWrite(nil, row) }
}

extension RowWrite {
    /// Whether the other write has the same previous and new state of the same row.
    package func isSame(as other: RowWrite) -> Bool {
        guard table === other.table, refolds == other.refolds else { return false }
        return zip([before, after], [other.before, other.after]).allSatisfy { one, two in
            switch (one, two) {
            case (nil, nil): true
            case (let one?, let two?): table.difference(between: one, and: two) == 0
            default: false
            }
        }
    }
}

extension RowWrite: CustomStringConvertible {
    /// The operation and the table, without the row's data.
    public var description: String {
        let verb =
            switch (before, after) {
            case (nil, _): "insert"
            case (_, nil): "remove"
            default: "replace"
            }
        return "\(verb) \(table.name)"
    }
}
