import Foundation
import TenureSQL
import TenureServer
import TenureServerKit
import TenureStore
import Testing

/// A table is declared once: no other source lists its columns, and engines know no table's name.
@Suite struct `What stands in one place` {
    private static let sources = URL(filePath: #filePath).appending(path: "../../../Sources").standardized

    @Test func `is the list of a table's columns`() throws {
        for (path, text) in try Self.texts() {
            for table in StoreSchema.tenure.tables where listsColumns(of: table, text) {
                Issue.record("\(path) lists the columns of \(table.name), which its declaration does")
            }
        }
    }

    @Test func `is a table's name, for no engine has one`() throws {
        let names = StoreSchema.tenure.tables.map(\.name).joined(separator: "|")
        let naming = try Regex("\\b(FROM|INTO|UPDATE|JOIN|TABLE)\\s+(\(names))\\b").ignoresCase()
        #expect("DELETE FROM licenses WHERE".contains(naming))
        for (path, text) in try Self.texts() where ["TenureSQL", "TenureSQLite", "TenurePostgres"].contains(path.first)
        {
            #expect(!text.contains(naming), "\(path) names a table")
        }
    }

    @Test func `would be found twice, in whichever way it were spelled`() {
        for table in StoreSchema.tenure.tables where table.columns.count >= Self.fewest {
            let names = table.columns.map(\.name)
            #expect(listsColumns(of: table, "SELECT \(SQLDialect.sqlite.columns(table)) FROM t"))
            #expect(listsColumns(of: table, "[\"\(names.reversed().joined(separator: "\", \""))\"]"))
            #expect(listsColumns(of: table, "(\(names.dropLast().joined(separator: ",\n    ")))"))
            #expect(!listsColumns(of: table, names.map { "Field(\"\($0)\") { $0.\($0) }" }.joined(separator: ", ")))
        }
    }

    /// A list of fewer columns is no more than a key.
    private static let fewest = 5

    /// Whether a text has all columns of a table, but for one, as one list.
    private func listsColumns(of table: TableShape, _ text: String) -> Bool {
        guard table.columns.count >= Self.fewest else { return false }
        let names = Set(table.columns.map(\.name))
        var run: Set<Substring> = []
        var end = text.startIndex
        for match in text.matches(of: /[A-Za-z_][A-Za-z_0-9]*/) {
            let between = text[end..<match.range.lowerBound]
            if !between.allSatisfy({ ", \n\"\\".contains($0) }) { run = [] }
            if names.contains(String(match.output)) { run.insert(match.output) } else { run = [] }
            if run.count >= names.count - 1 { return true }
            end = match.range.upperBound
        }
        return false
    }

    /// The sources without the released migrations, each with the parts of its path.
    private static func texts() throws -> [(path: [String], text: String)] {
        let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
        let paths = (files?.allObjects ?? []).compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
        #expect(paths.count > 300)
        return try paths.map { path in
            let parts = Array(path.standardized.pathComponents.dropFirst(sources.pathComponents.count))
            return (parts, try String(contentsOf: path, encoding: .utf8))
        }.filter { !$0.0.contains("Schema") }
    }
}
