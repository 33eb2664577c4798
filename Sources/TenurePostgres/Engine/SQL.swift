import TenureStore

/// A statement's text, put together from pieces of the program's own text alone: what a user wrote travels in ``Value``.
final class SQL: Sendable {
    let text: String
    /// Whether connections keep it prepared; a text made for the occasion is not kept.
    let isKept: Bool

    init(_ pieces: StaticString...) {
        text = pieces.map(\.description).joined()
        isKept = true
    }

    init(once pieces: [StaticString]) {
        text = pieces.map(\.description).joined(separator: " ")
        isKept = false
    }
}

/// A statement with what is bound to its places.
struct Statement {
    let sql: SQL
    let values: [Value]
    /// Turns what the database refused into what it means for whoever saved it.
    let meaning: @Sendable (StoreError) -> StoreError

    init(_ sql: SQL, _ values: [Value] = [], meaning: @escaping @Sendable (StoreError) -> StoreError = { $0 }) {
        self.sql = sql
        self.values = values
        self.meaning = meaning
    }
}
