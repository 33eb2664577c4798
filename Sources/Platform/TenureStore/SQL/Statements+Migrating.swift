extension SQLDialect {
    /// The statements of a migration, separated by semicolons.
    package func migrating(_ migration: Migration) -> String {
        migration.steps.map { step in
            switch step {
            case .table(let name, let columns, let key, let references, let layout):
                table(name, columns, key, references, layout)
            case .column(let column, let table): "ALTER TABLE \(table) ADD COLUMN \(self.column(column))"
            case .index(let name, let table, let columns, let isUnique, let conditions):
                "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(name) ON \(table) "
                    + "(\(columns.joined(separator: ", ")))"
                    + filter(conditions)
            case .text(let sqlite, let postgres): self == .sqlite ? sqlite : postgres
            }
        }.joined(separator: ";\n")
    }

    private func table(
        _ name: String, _ columns: [Migration.Column], _ key: [String], _ references: [Migration.Reference],
        _ layout: TableLayout
    ) -> String {
        if key.isEmpty { return singleRow(name, columns, references) }
        // In SQLite, an integer that is the whole key becomes the rowid, so finding a row needs no second tree.
        let isNumber = self == .sqlite && columns.contains { [$0.name] == key && $0.type == .integer }
        let parts = columns.map { isNumber && [$0.name] == key ? "\($0.name) INTEGER PRIMARY KEY" : column($0) }
        let ending =
            switch (self, layout) {
            case (.sqlite, .standard) where !isNumber, (.sqlite, .frequentUpdates) where !isNumber:
                " STRICT, WITHOUT ROWID"
            case (.sqlite, _): " STRICT"
            case (.postgres, .frequentUpdates): " WITH (fillfactor = 85)"
            case (.postgres, _): ""
            }
        let keys = isNumber ? [] : ["PRIMARY KEY (\(key.joined(separator: ", ")))"]
        return creating(name, parts + keys, references) + ending
    }

    /// The statements that create a table whose key column allows one value, and insert its only row.
    private func singleRow(
        _ name: String, _ columns: [Migration.Column], _ references: [Migration.Reference]
    ) -> String {
        let key =
            self == .sqlite
            ? "only_row INTEGER PRIMARY KEY CHECK (only_row = 1)" : "only_row boolean PRIMARY KEY CHECK (only_row)"
        let values = [literal(.flag(true))] + columns.map { literal(zero(of: $0)) }
        return creating(name, [key] + columns.map(column), references) + (self == .sqlite ? " STRICT" : "")
            + ";\nINSERT INTO \(name) VALUES (\(values.joined(separator: ", ")))"
    }

    private func creating(_ name: String, _ parts: [String], _ references: [Migration.Reference]) -> String {
        let references = references.map { reference in
            "FOREIGN KEY (\(reference.columns.joined(separator: ", "))) REFERENCES \(reference.table)"
        }
        return "CREATE TABLE \(name) (\n    \((parts + references).joined(separator: ",\n    "))\n)"
    }

    private func column(_ column: Migration.Column) -> String {
        let order = self == .postgres && column.type == .text ? " COLLATE \"C\"" : ""
        let standard = column.standard.map { " DEFAULT \(literal($0))" } ?? ""
        return "\(column.name) \(name(of: column.type))\(order)\(column.isNullable ? "" : " NOT NULL")\(standard)"
            + check(column)
    }

    /// A `CHECK` that rejects the values that PostgreSQL's type rejects and SQLite's type accepts.
    private func check(_ column: Migration.Column) -> String {
        switch (self, column.type) {
        case (.sqlite, .flag): " CHECK (\(column.name) IN (0, 1))"
        case (.sqlite, .name): " CHECK (length(\(column.name)) = 16)"
        default: ""
        }
    }

    private func filter(_ conditions: [Condition]) -> String {
        if conditions.isEmpty { return "" }
        return " WHERE " + conditions.map { condition($0.column, $0.test) }.joined(separator: " AND ")
    }

    private func zero(of column: Migration.Column) -> StoredValue {
        if column.isNullable { return .null }
        return switch column.type {
        case .integer: .integer(0)
        case .flag: .flag(false)
        case .text: .text("")
        case .blob: .blob([])
        case .name: .name(0, 0)
        }
    }
}
