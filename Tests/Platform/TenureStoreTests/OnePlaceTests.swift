import Foundation
import GoldenFiles
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

/// Each table is declared once: no other source lists its columns, and engines don't name tables.
@Suite struct `Declarations of tables` {
    private static let sources = URL.packageRoot.appending(path: "Sources")

    @Test func `only a table's declaration lists the columns of a table with five or more`() throws {
        let tables = StoreSchema.tenure.tables.filter { $0.columns.count >= Self.fewest }
            .map { ($0.name, Set($0.columns.map(\.name))) }
        for (path, text) in try Self.texts() {
            let words = Self.words(of: text)
            for (table, columns) in tables where lists(columns, words) {
                Issue.record("\(path) lists the columns of \(table) again")
            }
        }
    }

    @Test func `no SQL in the source code of the store and its engines names a table`() throws {
        let names = StoreSchema.tenure.tables.map(\.name).joined(separator: "|")
        let naming = try Regex("\\b(FROM|INTO|UPDATE|JOIN|TABLE)\\s+(\(names))\\b").ignoresCase()
        #expect("DELETE FROM licenses WHERE".contains(naming))
        let engines = try Self.texts().filter { path, _ in
            ["TenureStore", "TenureSQLite", "TenurePostgres"].contains(where: path.contains)
        }
        #expect(engines.count > 50)
        for (path, text) in engines { #expect(!text.contains(naming), "\(path) names a table") }
    }

    @Test func `a repeated list of a table's columns is found in SQL, in an array and without its last column`() {
        for table in StoreSchema.tenure.tables where table.columns.count >= Self.fewest {
            let names = table.columns.map(\.name)
            #expect(listsColumns(of: table, "SELECT \(SQLDialect.sqlite.columns(table)) FROM t"))
            #expect(listsColumns(of: table, "[\"\(names.reversed().joined(separator: "\", \""))\"]"))
            #expect(listsColumns(of: table, "(\(names.dropLast().joined(separator: ",\n    ")))"))
            #expect(!listsColumns(of: table, names.map { "Field(\"\($0)\") { $0.\($0) }" }.joined(separator: ", ")))
        }
    }

    /// A list of fewer columns may be just a key.
    private static let fewest = 5

    /// Returns whether a text lists all columns of a table, or all but one.
    private func listsColumns(of table: TableShape, _ text: String) -> Bool {
        guard table.columns.count >= Self.fewest else { return false }
        return lists(Set(table.columns.map(\.name)), Self.words(of: text))
    }

    private func lists(_ names: Set<String>, _ words: [Word]) -> Bool {
        var run: Set<String> = []
        for word in words {
            if !word.followsInList { run = [] }
            if names.contains(word.text) { run.insert(word.text) } else { run = [] }
            if run.count >= names.count - 1 { return true }
        }
        return false
    }

    private struct Word {
        let text: String
        /// Whether only list punctuation separates this word from the previous word.
        let followsInList: Bool
    }

    private static func words(of text: String) -> [Word] {
        var words: [Word] = []
        var letters: [UInt8] = []
        var isList = true
        for byte in text.utf8 + [0] {
            switch byte {
            case 0x30...0x39 where !letters.isEmpty: letters.append(byte)
            case 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"): letters.append(byte)
            default:
                if !letters.isEmpty {
                    words.append(Word(text: String(decoding: letters, as: UTF8.self), followsInList: isList))
                    (letters, isList) = ([], true)
                }
                if !", \n\"\\".utf8.contains(byte) { isList = false }
            }
        }
        return words
    }

    /// Returns the sources except released migrations, each with its path components.
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
