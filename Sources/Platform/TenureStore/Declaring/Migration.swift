/// A schema migration, described as data for both engines; never edited after its release.
///
/// A migration names its tables and columns literally instead of using the declarations, which keep changing. A test
/// compares the result of all migrations with the declared tables. The migrations of all features share one order of
/// identifiers. They follow the first six (``MigrationID``), which each engine holds as SQL text.
///
/// A server of the previous version keeps running on the migrated schema. A new column of a table that it writes must
/// therefore be nullable or have a default.
///
/// ```swift
/// Migration("0007-jobs", [
///     .table("jobs", [.init("id", .name), .init("kind", .text), .init("due_at", .integer)], key: ["id"]),
///     .index("jobs_by_due", on: "jobs", ["due_at"]),
/// ])
/// ```
public struct Migration: Sendable {
    /// The migration's unique identifier, which starts with its number.
    public let id: String
    /// The steps, which run in order and in one transaction.
    public let steps: [Step]

    /// Creates a migration from its steps.
    public init(_ id: String, _ steps: [Step]) {
        self.id = id
        self.steps = steps
    }

    /// One addition to the schema.
    public enum Step: Sendable {
        /// Adds a table; `references` become foreign keys.
        case table(_ name: String, _ columns: [Column], key: [String], references: [Reference] = [])
        /// Adds an append-only table; the engine numbers its rows in the first column.
        case numbered(_ name: String, _ columns: [Column], references: [Reference] = [])
        /// Adds a column, which is null or has its default in existing rows.
        case column(_ column: Column, of: String)
        /// Adds an index, limited to the rows in which `whereNotNull` isn't null if that column is given.
        case index(_ name: String, on: String, _ columns: [String], isUnique: Bool = false, whereNotNull: String? = nil)
        /// Runs SQL text that the other cases can't express, one text per engine.
        case text(sqlite: String, postgres: String)
    }

    /// A column of an added table, or an added column.
    public struct Column: Sendable {
        /// The column's name.
        public let name: String
        /// The type of its values.
        public let type: StoredType
        /// Whether the column is nullable.
        public let isNullable: Bool
        /// The column's default, which applies when an older server inserts a row; `nil` for none.
        public let standard: StoredValue?

        /// Creates a column.
        public init(_ name: String, _ type: StoredType, isNullable: Bool = false, standard: StoredValue? = nil) {
            self.name = name
            self.type = type
            self.isNullable = isNullable
            self.standard = standard
        }
    }

    /// A foreign key to another table's primary key.
    public struct Reference: Sendable {
        /// The referring columns.
        public let columns: [String]
        /// The table that they refer to.
        public let table: String

        /// Creates a foreign key.
        public init(_ columns: [String], to table: String) {
            self.columns = columns
            self.table = table
        }
    }
}
