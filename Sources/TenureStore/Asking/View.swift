/// A question that is more than keys and sets: written once for each engine, and named.
public struct View<Row: Sendable>: Sendable {
    /// What engines see of it.
    public let shape: ViewShape

    /// Declares a view.
    ///
    /// Both texts are asked about a list, whose columns have the types of `parameters`: SQLite's once for each of its rows
    /// with `?1`, `?2` ...; PostgreSQL's once with an array for each column, `$1`, `$2` ... A view without parameters
    /// is asked once.
    /// - Parameters:
    ///   - touches: The tables whose rows can change the answer.
    ///   - read: Makes an answer's row from its columns. Throws `.corrupt` for what cannot be read.
    public init(
        _ name: String, _ parameters: [StoredType] = [], touches: [TableShape], sqlite: String, postgres: String,
        read: @escaping @Sendable (inout RowCursor) throws(StoreError) -> Row
    ) {
        shape = ViewShape(
            name: name, parameters: parameters, touches: touches, sqlite: sqlite, postgres: postgres,
            read: { cursor throws(StoreError) in try read(&cursor) })
    }
}

/// What engines know of a view.
public final class ViewShape: Sendable {
    /// Its name, for people who look for it in a log.
    public let name: String
    /// What its list holds, column by column.
    public let parameters: [StoredType]
    /// The tables whose rows can change the answer.
    public let touches: [TableShape]
    /// The text for SQLite.
    public let sqlite: String
    /// The text for PostgreSQL.
    public let postgres: String
    /// Makes an answer's row.
    package let read: @Sendable (inout RowCursor) throws(StoreError) -> any Sendable

    init(
        name: String, parameters: [StoredType], touches: [TableShape], sqlite: String, postgres: String,
        read: @escaping @Sendable (inout RowCursor) throws(StoreError) -> any Sendable
    ) {
        self.name = name
        self.parameters = parameters
        self.touches = touches
        self.sqlite = sqlite
        self.postgres = postgres
        self.read = read
    }
}
