/// A change as three steps over values: what to load, a pure decision, and what it saves (design §3, rule 6).
///
/// ```swift
/// try await store.perform(
///     Change(form.asked(.of(hash), .of(product.tenant), .of(product.product))) { seen in
///         guard let license = seen[form.looks.license] else { return Saving(nil) }
///         let (suspended, event) = license.suspend(by: actor, at: now)
///         return Saving(suspended, [.replace(license, by: suspended), .append(event)])
///     })
/// ```
public struct Change<Answer: Sendable>: Sendable {
    /// What the decision needs to see.
    public let asked: Asked

    /// Whether it lets the changes of others go first, as upkeep does, which nobody waits for.
    public let yields: Bool

    /// Decides from what was loaded. Called on an engine's own thread, perhaps more than once: it must be pure.
    public let decide: @Sendable (Seen) -> Saving<Answer>

    /// States a change.
    public init(_ asked: Asked, yielding yields: Bool = false, decide: @escaping @Sendable (Seen) -> Saving<Answer>) {
        self.asked = asked
        self.yields = yields
        self.decide = decide
    }

    /// States a change that looks at nothing.
    public init(decide: @escaping @Sendable () -> Saving<Answer>) {
        self.init(Self.blind.asked()) { _ in decide() }
    }

    private static var blind: LoadForm<Void> { blindForm }
}

private let blindForm = LoadForm { _ in }

/// What a decision comes to: the answer to give once the rows are on disk.
public struct Saving<Answer: Sendable>: Sendable {
    /// What the caller is told.
    public let answer: Answer

    /// What is saved, in order; empty when nothing changes.
    public let saves: [Save]

    /// Pairs the two.
    public init(_ answer: Answer, _ saves: [Save] = []) {
        self.answer = answer
        self.saves = saves
    }
}

/// One row that a change saves, with the row that stood there before: so an engine knows which sets it leaves and which
/// it enters, and writes only the columns that differ.
public struct Save: Sendable {
    /// Whose row.
    public let table: TableShape
    /// The row as it was; nil for a new one.
    public let before: StoredRow?
    /// The row as it shall be; nil for one that goes.
    public let after: StoredRow?

    private init<Row: Stored>(_ before: Row?, _ after: Row?) {
        table = Row.table.shape
        self.before = before.map { TypedRow($0) }
        self.after = after.map { TypedRow($0) }
    }

    /// A new row. When its key, or another one that is unique, is taken meanwhile, the change is decided again, and sees
    /// the row that took it; if it still inserts, it fails with `.taken`.
    public static func insert<Row: Stored>(_ row: Row) -> Save { Save(nil, row) }

    /// Another state of a row that was loaded; the columns of its key are the same.
    public static func replace<Row: Stored>(_ before: Row, by after: Row) -> Save { Save(before, after) }

    /// A new row, or another state of the one that was loaded.
    public static func put<Row: Stored>(_ row: Row, over before: Row?) -> Save { Save(before, row) }

    /// The end of a row that was loaded; fails with `.inUse` when others name it.
    public static func remove<Row: Stored>(_ row: Row) -> Save { Save(row, nil) }

    /// A row of a table that only grows; the engine numbers it.
    public static func append<Row: Stored>(_ row: Row) -> Save { Save(nil, row) }
}

extension Save {
    /// Whether two decisions came to the same here.
    package func isSame(as other: Save) -> Bool {
        guard table === other.table else { return false }
        return zip([before, after], [other.before, other.after]).allSatisfy { one, two in
            switch (one, two) {
            case (nil, nil): true
            case (let one?, let two?): table.difference(between: one, and: two) == 0
            default: false
            }
        }
    }
}

extension Save: CustomStringConvertible {
    /// What is done, and in which table; nothing of the row.
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
