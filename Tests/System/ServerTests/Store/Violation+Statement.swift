import TenureServerKit
import TenureStore

extension Violation {
    /// Returns the SQL statement that damages a table's rows.
    func statement(of table: TableShape, in dialect: SQLDialect) -> String {
        func text(_ value: Value) -> String {
            switch value {
            case .value(let value): dialect.literal(value)
            case .column(let name): name
            case .lowest(let name, let other): "(SELECT min(\(name)) FROM \(other))"
            case .present: ""
            }
        }
        let tests = conditions.sorted { $0.key < $1.key }.map { name, value in
            switch value {
            case .present: "\(name) IS NOT NULL"
            case .value(.null): "\(name) IS NULL"
            default: "\(name) = \(text(value))"
            }
        }
        var filter = tests.isEmpty ? "" : " WHERE " + tests.joined(separator: " AND ")
        if !isOfAll, !table.keyColumns.isEmpty {
            let key = table.keyColumns.map { table.columns[$0].name }
            let (names, order) = (key.joined(separator: ", "), key.map { "\($0) DESC" }.joined(separator: ", "))
            filter = " WHERE (\(names)) IN (SELECT \(names) FROM \(table.name)\(filter) ORDER BY \(order) LIMIT 1)"
        }
        if changes.isEmpty { return "DELETE FROM \(table.name)\(filter)" }
        let set = changes.sorted { $0.key < $1.key }.map { "\($0) = \(text($1))" }
        return "UPDATE \(table.name) SET \(set.joined(separator: ", "))\(filter)"
    }
}
