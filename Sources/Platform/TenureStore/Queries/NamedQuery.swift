/// A named, handwritten query for results that keys and sets can't express, with one SQL text per engine.
public struct NamedQuery<Row: Sendable>: Sendable {
    /// The untyped query that engines run.
    public let shape: NamedQueryShape

    /// Declares a named query.
    ///
    /// Both texts receive a list whose columns have the types in `parameters`. SQLite runs its text once per row of the
    /// list, with `?1`, `?2` ... PostgreSQL runs its text once, with one array per column as `$1`, `$2` ... A query
    /// without parameters runs once.
    /// - Parameters:
    ///   - touches: The tables whose rows can change the result.
    ///   - read: Decodes a result row from its columns. Throws `.corrupt` if a value can't be read.
    public init(
        _ name: String, _ parameters: [StoredType] = [], touches: [TableShape], sqlite: String, postgres: String,
        read: @escaping @Sendable (inout RowCursor) throws -> Row
    ) {
        shape = NamedQueryShape(
            name: name, parameters: parameters, touches: touches, sqlite: sqlite, postgres: postgres,
            read: { cursor in try read(&cursor) })
    }
}

/// A named query without its row type, as engines see it.
public final class NamedQueryShape: Sendable {
    /// The query's name, for logs.
    public let name: String
    /// The types of the list's columns.
    public let parameters: [StoredType]
    /// The tables whose rows can change the result.
    public let touches: [TableShape]
    /// The SQL text for SQLite.
    public let sqlite: String
    /// The SQL text for PostgreSQL.
    public let postgres: String
    private let read: @Sendable (inout RowCursor) throws -> any Sendable

    init(
        name: String, parameters: [StoredType], touches: [TableShape], sqlite: String, postgres: String,
        read: @escaping @Sendable (inout RowCursor) throws -> any Sendable
    ) {
        self.name = name
        self.parameters = parameters
        self.touches = touches
        self.sqlite = sqlite
        self.postgres = postgres
        self.read = read
    }

    /// Decodes the result row at a cursor.
    package func row(from cursor: inout RowCursor) throws(StoreError) -> any Sendable {
        try storeErrors { try read(&cursor) }
    }
}
