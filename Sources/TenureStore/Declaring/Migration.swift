/// A step by which stores move forward, told to both engines as data; never edited once it was released.
///
/// It names what it adds itself, not by way of a declaration: declarations go on, what was released stays. A test
/// compares what all of them make with what is declared. The identifiers of all rooms' migrations are in one order,
/// behind those of the first six (``MigrationID``), which each engine holds as texts of its own.
///
/// A server of the version before goes on beside what is added: a new column of a table that it writes is nullable or
/// has a value of its own.
///
/// ```swift
/// Migration("0007-jobs", [
///     .table("jobs", [.init("id", .name), .init("kind", .text), .init("due_at", .integer)], key: ["id"]),
///     .index("jobs_by_due", on: "jobs", ["due_at"]),
/// ])
/// ```
public struct Migration: Sendable {
    /// Its name among all, which begins with its number.
    public let id: String
    /// What it does, in order and in one transaction.
    public let steps: [Step]

    /// States a migration.
    public init(_ id: String, _ steps: [Step]) {
        self.id = id
        self.steps = steps
    }

    /// Something that is added.
    public enum Step: Sendable {
        /// A table; rows that it refers to must be there.
        case table(_ name: String, _ columns: [Column], key: [String], references: [Reference] = [])
        /// A table that only grows; the engine numbers its rows in the first column.
        case numbered(_ name: String, _ columns: [Column], references: [Reference] = [])
        /// A column, which rows that are there hold nothing in, or its default.
        case column(_ column: Column, of: String)
        /// An index; of the rows in which a column holds something only, if one is named.
        case index(_ name: String, on: String, _ columns: [String], isUnique: Bool = false, whereNotNull: String? = nil)
        /// What is more than that, as each engine's own text.
        case text(sqlite: String, postgres: String)
    }

    /// A column as it is added.
    public struct Column: Sendable {
        /// Its name.
        public let name: String
        /// What its values are.
        public let type: StoredType
        /// Whether it may hold nothing.
        public let isNullable: Bool
        /// What it holds where nobody says, as an older server does that still inserts rows; nil for nothing.
        public let standard: StoredValue?

        /// States a column.
        public init(_ name: String, _ type: StoredType, isNullable: Bool = false, standard: StoredValue? = nil) {
            self.name = name
            self.type = type
            self.isNullable = isNullable
            self.standard = standard
        }
    }

    /// Rows of another table that columns name by its key.
    public struct Reference: Sendable {
        /// The columns here.
        public let columns: [String]
        /// The table that they name a row of.
        public let table: String

        /// States a reference.
        public init(_ columns: [String], to table: String) {
            self.columns = columns
            self.table = table
        }
    }
}
