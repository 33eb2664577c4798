/// The actual schema of a table in the database, to compare with its declaration.
package struct SchemaFacts: Sendable {
    /// A column as the database describes it.
    package struct Column: Sendable, Hashable {
        let name: String
        let type: String
        let isNullable: Bool

        package init(name: String, type: String, isNullable: Bool) {
            self.name = name
            self.type = type
            self.isNullable = isNullable
        }
    }

    private let columns: [Column]
    private let key: [String]
    private let indexes: [[String]]

    /// Creates the description of a table from the database's catalog.
    /// - Parameters:
    ///   - key: The columns of the primary key, in order.
    ///   - indexes: The columns of each index, in order, including the primary key's; an expression by its text.
    package init(columns: [Column], key: [String], indexes: [[String]]) {
        self.columns = columns
        self.key = key
        self.indexes = indexes
    }

    /// The differences between the database and the declaration, as sentences; empty if they match.
    package func faults(of table: TableShape, sets: [SetShape], in dialect: SQLDialect) -> [String] {
        var faults: [String] = []
        let declared = table.columns.map { column in
            Column(name: column.name, type: dialect.name(of: column.type), isNullable: column.isNullable)
        }
        for column in declared where !columns.contains(column) {
            let actual = columns.first { $0.name == column.name }
            faults.append(
                "\(table.name).\(column.name) is declared as \(column) and is \(actual.map { "\($0)" } ?? "missing")")
        }
        // The key column of a single-row table is named differently in each database and is never read.
        if !table.keyColumns.isEmpty {
            for column in columns where !declared.contains(where: { $0.name == column.name }) {
                faults.append("\(table.name).\(column.name) is not declared")
            }
            let names = table.keyColumns.map { table.columns[$0].name }
            if names != key { faults.append("\(table.name) has the key \(key), and \(names) is declared") }
        }
        for unique in table.uniques where !isIndexed(Set(unique.columns.map { table.columns[$0].name })) {
            faults.append("\(table.name).\(unique.name) has no index that begins with its columns")
        }
        for set in sets where set.table === table && !isIndexed(set) {
            faults.append("\(set.fullName) has no index that begins with its columns")
        }
        return faults
    }

    /// Whether an index starts with the set's columns, or at least its leading ones.
    ///
    /// Columns that a condition fixes to one value may be among them.
    private func isIndexed(_ set: SetShape) -> Bool {
        let columns = set.columns.map { set.table.columns[$0].name }
        let fixed = set.conditions.filter(\.holdsToOneValue).map { set.table.columns[$0.column].name }
        let leading = set.isUnique ? columns.count : set.leading ?? columns.count
        return isIndexed(Set(columns.prefix(leading)), among: Set(columns + fixed))
    }

    private func isIndexed(_ needed: Set<String>, among allowed: Set<String>? = nil) -> Bool {
        let allowed = allowed ?? needed
        return indexes.contains { index in
            (needed.count...allowed.count).contains { count in
                let beginning = Set(index.prefix(count))
                return beginning.isSuperset(of: needed) && beginning.isSubset(of: allowed)
            }
        }
    }
}

extension PlacedCondition {
    fileprivate var holdsToOneValue: Bool {
        switch test {
        case .isNull: true
        case .isNotNull: false
        case .isOneOf(let values): values.count == 1
        }
    }
}
