/// The tables that a program keeps in a store and the steps that make them, gathered from its rooms.
///
/// An engine brings a store to it when it opens one, and refuses one that a newer program has brought farther.
public struct StoreSchema: Sendable {
    /// The tables in the order in which a copy saves them: what is named comes before what names it.
    public let tables: [TableShape]

    /// The keys and sets that the tables are asked by.
    public let sets: [SetShape]

    /// The migrations after those that each engine holds as texts (``MigrationID``), in the order of their identifiers.
    public let migrations: [Migration]

    /// Gathers what rooms keep.
    public init(_ kept: [KeptTable], migrations: [Migration]) {
        tables = kept.map(\.shape)
        sets = kept.flatMap(\.sets)
        self.migrations = migrations.sorted { $0.id < $1.id }
    }

    /// The identifiers of all migrations, in their order; the last one names the schema.
    public var identifiers: [String] { MigrationID.allCases.map(\.rawValue) + migrations.map(\.id) }
}

/// A table that is kept, with what it is asked by.
public struct KeptTable: Sendable {
    /// The table.
    public let shape: TableShape
    /// Its key, and the other keys and sets that are asked for.
    public let sets: [SetShape]
}

extension Stored {
    /// Keeps the table, asked by its key and by these.
    public static func kept(by sets: any AskedBy...) -> KeptTable {
        KeptTable(shape: table.shape, sets: [table.key.shape] + sets.map(\.shape))
    }
}

/// What rows of a table are found by.
public protocol AskedBy: Sendable {
    /// What engines see of it.
    var shape: SetShape { get }
}

extension Key: AskedBy {}
extension RowSet: AskedBy {}
