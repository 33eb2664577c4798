/// The tables that a program keeps in a store, collected from its features.
///
/// An engine creates the tables in an empty store, all at once and as they are declared (``baseline``). It brings a
/// store of an earlier version up to date with the ``migrations`` that the store lacks. It refuses a store that a newer
/// program has migrated further.
public struct StoreSchema: Sendable {
    /// The tables in the order in which a copy saves them: referenced tables come before the ones that refer to them.
    public let tables: [TableShape]

    /// The keys and sets that the tables are queried by.
    public let sets: [SetShape]

    /// The changes of the schema since the first version, sorted by identifier; a new store has them already.
    public let migrations: [Migration]

    /// The tables with their keys and sets, as they were declared.
    package let kept: [StoreSchema.KeptTable]

    /// Collects the tables and migrations of the features.
    public init(_ kept: [StoreSchema.KeptTable], migrations: [Migration]) {
        self.kept = kept
        tables = kept.map(\.shape)
        sets = kept.flatMap(\.sets)
        self.migrations = migrations.sorted { $0.id < $1.id }
    }

    /// The migration that creates all tables and indexes as they are declared now.
    public var baseline: Migration { Migration("0001-baseline", tables.flatMap(\.creation)) }

    /// The identifiers that a store of this version has recorded, in ascending order; the last one identifies the
    /// schema.
    public var identifiers: [String] { [baseline.id] + migrations.map(\.id) }
}

extension TableShape {
    /// The steps that create the table and its indexes.
    fileprivate var creation: [Migration.Step] {
        let names = columns.map(\.name)
        let columns = columns.map { Migration.Column($0.name, $0.type, isNullable: $0.isNullable) }
        let references = foreignKeys.map { key in
            Migration.Reference(key.columns.map { names[$0] }, to: key.table.name)
        }
        let table = Migration.Step.table(
            name, columns, key: keyColumns.map { names[$0] }, references: references, layout: layout)
        let keys = uniques.map { unique in
            Migration.Step.index(
                "\(name)_\(unique.name)", on: name, unique.columns.map { names[$0] }, isUnique: true)
        }
        let others = indexes.map { index in
            Migration.Step.index(
                "\(name)_\(index.name)", on: name, index.columns, where: index.conditions)
        }
        return [table] + keys + others
    }
}

extension StoreSchema {
    /// A stored table with the keys and sets that it's queried by.
    public struct KeptTable: Sendable {
        /// The table's columns, keys and indexes.
        public let shape: TableShape
        /// The type of the table's rows.
        package let row: any Stored.Type
        /// The table's key, then its other keys and sets.
        public let sets: [SetShape]
        /// A change that writes the folds of the row with this key again; its answer is whether the row exists.
        package let refold: @Sendable ([StoredValue]) -> Transaction<Bool>
    }
}

extension Stored {
    /// Declares that the table is stored and queried by its key and by these keys and sets.
    public static func kept(by sets: any AskedBy...) -> StoreSchema.KeptTable {
        StoreSchema.KeptTable(shape: table.shape, row: self, sets: [table.key.shape] + sets.map(\.shape)) { key in
            let plan = QueryPlan(for: [StoredValue].self) { query in query.anyRow(table.key) { $0 } }
            return Transaction(plan.bind(key), yielding: true) { results in
                guard let row = results[plan.queries] else { return TransactionResult(false) }
                return TransactionResult(true, [.refold(row)])
            }
        }
    }
}

/// A key or set that rows are found by.
public protocol AskedBy: Sendable {
    /// The untyped set that engines use.
    var shape: SetShape { get }
}

extension Key: AskedBy {}
extension RowSet: AskedBy {}
