import Synchronization

/// A statement's text, made from the program's own text alone: what a user wrote travels beside it.
final class SQL: Sendable {
    let text: String
    /// What databases that keep it call it; empty for one that is not kept.
    let name: String
    /// Whether connections keep it prepared; a text made for the occasion is not kept.
    let isKept: Bool

    init(_ pieces: StaticString...) {
        text = pieces.map(\.description).joined()
        isKept = true
        name = Self.nextName()
    }

    /// A text that was put together from declarations.
    init(text: String, isKept: Bool) {
        self.text = text
        self.isKept = isKept
        name = isKept ? Self.nextName() : ""
    }

    private static let made = Atomic(0)

    private static func nextName() -> String { "s\(made.add(1, ordering: .relaxed).newValue)" }
}

extension SQL {
    static let begin = SQL("BEGIN")
    static let commit = SQL("COMMIT")
    static let rollback = SQL("ROLLBACK")
    static let beginReading = SQL("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    static let ping = SQL("SELECT 1")
}
