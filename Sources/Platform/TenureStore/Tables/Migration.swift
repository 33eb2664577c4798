/// A change of the schema, described as data for both engines; never edited after its release.
///
/// A migration names its tables and columns literally instead of using the declarations, which keep changing. It only
/// changes stores of earlier versions: a new store is created from the declarations (``StoreSchema/baseline``). A test
/// compares the two. The migrations of all features share one order of identifiers.
///
/// A server of the previous version keeps running on the migrated schema. A new column of a table that it writes must
/// therefore be nullable or have a default. A table or column that it reads is removed one version later.
///
/// ```swift
/// Migration("0002-notes", [
///     .column(Column("note", .text, isNullable: true), of: "licenses"),
///     .index("licenses_by_note", on: "licenses", ["note"], where: [.isNotNull("note")]),
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
        ///
        /// Without a key, it has a single row, which starts with zeros, empty text and null.
        case table(
            _ name: String, _ columns: [Column], key: [String], references: [Reference] = [],
            layout: TableLayout = .standard)
        /// Adds a column to a table; in existing rows, it's null or has its default.
        case column(_ column: Column, of: String)
        /// Adds an index on columns of a table, with only the rows that meet all conditions.
        case index(
            _ name: String, on: String, _ columns: [String], isUnique: Bool = false, where: [Condition] = [])
        /// Runs SQL text that the other cases can't express, one text per engine.
        case text(sqlite: String, postgres: String)
    }

    /// A column of an added table, or an added column.
    public struct Column: Sendable {
        /// The column's name in both engines.
        public let name: String
        /// The type of the column's values.
        public let type: StoredType
        /// Whether the column may contain NULL.
        public let isNullable: Bool
        /// The column's default, which applies when an older server inserts a row; `nil` for none.
        public let standard: StoredValue?

        /// Creates a column from its parts.
        public init(_ name: String, _ type: StoredType, isNullable: Bool = false, standard: StoredValue? = nil) {
            self.name = name
            self.type = type
            self.isNullable = isNullable
            self.standard = standard
        }
    }

    /// A foreign key to another table's primary key.
    public struct Reference: Sendable {
        /// The columns that hold the other table's primary key, in the order of that key.
        public let columns: [String]
        /// The table that the columns refer to.
        public let table: String

        /// Creates a foreign key from its parts.
        public init(_ columns: [String], to table: String) {
            self.columns = columns
            self.table = table
        }
    }
}
