import Synchronization

/// The text of a statement; it never contains user input, which is always bound as a parameter.
final class SQL: Sendable {
    let text: String
    /// The name of the prepared statement; empty for a statement for a single use.
    let name: String
    /// Whether connections keep the statement prepared; false for a statement for a single use.
    let isKept: Bool

    init(_ pieces: StaticString...) {
        text = pieces.map(\.description).joined()
        isKept = true
        name = Self.nextName()
    }

    /// Creates a statement that was generated from declarations.
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
