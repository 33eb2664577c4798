
extension SQLDialect {
    /// The SQL text of the schema's migrations after the first six, in order.
    package func migrations(of schema: StoreSchema) -> [(id: String, text: String)] {
        schema.migrations.map { ($0.id, migrating($0)) }
    }

    /// The statements of a migration, separated by semicolons.
    package func migrating(_ migration: Migration) -> String {
        migration.steps.map { step in
            switch step {
            case .table(let name, let columns, let key, let references): table(name, columns, key, references)
            case .numbered(let name, let columns, let references): table(name, columns, nil, references)
            case .column(let column, let table): "ALTER TABLE \(table) ADD COLUMN \(self.column(column))"
            case .index(let name, let table, let columns, let isUnique, let filled):
                "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(name) ON \(table) (\(columns.joined(separator: ", ")))"
                    + (filled.map { " WHERE \($0) IS NOT NULL" } ?? "")
            case .text(let sqlite, let postgres): self == .sqlite ? sqlite : postgres
            }
        }.joined(separator: ";\n")
    }

    /// - Parameter key: `nil` for a table that the engine numbers in its first column.
    private func table(
        _ name: String, _ columns: [Migration.Column], _ key: [String]?, _ references: [Migration.Reference]
    ) -> String {
        var parts = columns.map(column)
        if let key {
            parts.append("PRIMARY KEY (\(key.joined(separator: ", ")))")
        } else {
            parts[0] =
                "\(columns[0].name) "
                + (self == .sqlite
                    ? "INTEGER PRIMARY KEY AUTOINCREMENT" : "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY")
        }
        for reference in references {
            parts.append("FOREIGN KEY (\(reference.columns.joined(separator: ", "))) REFERENCES \(reference.table)")
        }
        let ending = self == .postgres ? "" : key == nil ? " STRICT" : " STRICT, WITHOUT ROWID"
        return "CREATE TABLE \(name) (\n    \(parts.joined(separator: ",\n    "))\n)\(ending)"
    }

    private func column(_ column: Migration.Column) -> String {
        let order = self == .postgres && column.type == .text ? " COLLATE \"C\"" : ""
        let standard = column.standard.map { " DEFAULT \(literal($0))" } ?? ""
        return "\(column.name) \(name(of: column.type))\(order)\(column.isNullable ? "" : " NOT NULL")\(standard)"
            + check(column)
    }

    /// A `CHECK` for what PostgreSQL's type enforces and SQLite's doesn't.
    private func check(_ column: Migration.Column) -> String {
        switch (self, column.type) {
        case (.sqlite, .flag): " CHECK (\(column.name) IN (0, 1))"
        case (.sqlite, .name): " CHECK (length(\(column.name)) = 16)"
        default: ""
        }
    }
}
