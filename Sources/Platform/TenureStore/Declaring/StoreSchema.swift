/// The tables that a program keeps in a store and the migrations that create them, collected from its features.
///
/// An engine migrates a store to this schema when it opens it, and refuses a store that a newer program has migrated
/// further.
public struct StoreSchema: Sendable {
    /// The tables in the order in which a copy saves them: referenced tables come before the ones that refer to them.
    public let tables: [TableShape]

    /// The keys and sets that the tables are queried by.
    public let sets: [SetShape]

    /// The migrations after those that each engine holds as SQL text (``MigrationID``), sorted by identifier.
    public let migrations: [Migration]

    /// Collects the tables and migrations of the features.
    public init(_ kept: [KeptTable], migrations: [Migration]) {
        tables = kept.map(\.shape)
        sets = kept.flatMap(\.sets)
        self.migrations = migrations.sorted { $0.id < $1.id }
    }

    /// The identifiers of all migrations in order; the last one identifies the schema.
    public var identifiers: [String] { MigrationID.allCases.map(\.rawValue) + migrations.map(\.id) }
}

/// A stored table with the keys and sets that it's queried by.
public struct KeptTable: Sendable {
    /// The table.
    public let shape: TableShape
    /// The table's key, then its other keys and sets.
    public let sets: [SetShape]
}

extension Stored {
    /// Declares that the table is stored and queried by its key and by these keys and sets.
    public static func kept(by sets: any AskedBy...) -> KeptTable {
        KeptTable(shape: table.shape, sets: [table.key.shape] + sets.map(\.shape))
    }
}

/// A key or set that rows are found by.
public protocol AskedBy: Sendable {
    /// The untyped set that engines use.
    var shape: SetShape { get }
}

extension Key: AskedBy {}
extension RowSet: AskedBy {}
