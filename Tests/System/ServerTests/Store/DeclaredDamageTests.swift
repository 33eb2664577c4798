import Foundation
import GoldenFiles
import TenureCore
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

/// The ways to damage a store that the declarations of its tables forbid.
///
/// `test_declared_damage.py` applies each one to a store of the built program. `TENURE_WRITE_COPIES=1` writes
/// `damages.json`.
@Suite struct DeclaredDamageTests {
    private static let features = FeatureSet.tenure
    private static let invariants = RowInvariant.all(
        Inspection(at: Timestamp(seconds: 0), under: nil), of: features
    ).map { (table: $0.table, damages: $0.damages, exemption: $0.exemption) }

    @Test func `damages.json equals the list of violations that is generated from the tables' declarations`() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let tables = Self.features.schema.tables.map(Self.damages)
        let text = String(decoding: try encoder.encode(tables), as: UTF8.self) + "\n"
        let file = URL.packageRoot.appending(path: "Tests/Fixtures/damages.json")
        if ProcessInfo.processInfo.environment["TENURE_WRITE_COPIES"] != nil {
            try Data(text.utf8).write(to: file)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }

    @Test func `each table declares either invariants with tested violations or one reason for having none`() {
        for table in Self.features.schema.tables {
            let own = Self.invariants.filter { $0.table === table }
            let isRuled = own.contains { !$0.damages.isEmpty }
            let reasons = own.compactMap { $0.exemption }
            #expect(isRuled ? reasons.isEmpty : reasons.count == 1, "\(table.name)")
        }
    }

    @Test
    func `each example of damage changes columns of its table and names a column of the table to be reported`() {
        for damage in Self.invariants.flatMap(\.damages) {
            let (result, damaged) = (damage.reportedTable.columns.map { $0.name }, damage.table.columns.map { $0.name })
            #expect(damage.column.map(result.contains) ?? true, "\(damage)")
            let names = Array(damage.violation.changes.keys) + Array(damage.violation.conditions.keys)
            #expect(names.allSatisfy(damaged.contains), "\(damage)")
        }
    }

    private struct TableDamages: Encodable {
        let table: String
        let key: [String]
        let columns: [Column]
        let references: [Reference]
        let indexes: [String]
        let rules: [Rule]
        /// Inserts a row, for a table that is empty in the damaged store.
        let sample: Texts
    }

    private struct Column: Encodable {
        let name: String
        let type: String
        let isNullable: Bool
        let unreadable: Texts?
    }

    private struct Reference: Encodable {
        let columns: [String]
        let change: Texts
    }

    private struct Rule: Encodable {
        let table: String
        let column: String?
        let damaged: String
        let change: Texts
    }

    /// A SQL statement for each engine.
    private struct Texts: Encodable {
        let sqlite: String
        let postgres: String

        init(_ make: (SQLDialect) -> String) { (sqlite, postgres) = (make(.sqlite), make(.postgres)) }
    }

    private static func damages(of table: TableShape) -> TableDamages {
        let names = table.columns.map { $0.name }
        let indexes = features.schema.baseline.steps.compactMap { step in
            if case .index(let name, table.name, _, _, _) = step { name } else { nil }
        }
        return TableDamages(
            table: table.name, key: table.keyColumns.map { names[$0] },
            columns: table.columns.map { column in
                Column(
                    name: column.name, type: "\(column.type)", isNullable: column.isNullable,
                    unreadable: column.unreadable.map { value in
                        Texts { Violation.changing([column.name: .value(value)]).statement(of: table, in: $0) }
                    })
            },
            references: table.foreignKeys.map { reference in
                let last = table.columns[reference.columns[reference.columns.count - 1]]
                let other: Violation.Value = last.type == .text ? "missing" : 5
                return Reference(
                    columns: reference.columns.map { names[$0] },
                    change: Texts { Violation.changing([last.name: other]).statement(of: table, in: $0) })
            },
            indexes: indexes,
            rules: invariants.filter { $0.table === table }.flatMap { $0.damages }.map { damage in
                Rule(
                    table: damage.reportedTable.name, column: damage.column, damaged: damage.table.name,
                    change: Texts { damage.violation.statement(of: damage.table, in: $0) })
            },
            sample: Texts { dialect in insert(of: table, in: dialect) })
    }

    private static func insert(of table: TableShape, in dialect: SQLDialect) -> String {
        let values = TableSample.all.first { $0.table === table }?.values ?? [:]
        let columns = table.columns.map { $0.name }
        let list = columns.map { dialect.literal(values[$0] ?? .null) }.joined(separator: ", ")
        return "INSERT INTO \(table.name) (\(columns.joined(separator: ", "))) VALUES (\(list))"
    }
}
