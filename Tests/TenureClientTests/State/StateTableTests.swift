import Foundation
import TenureClient
import TenureCore
import Testing

@Suite struct StateTableTests {
    @Test(arguments: StateTable.parts.flatMap(\.rows)) func `every row of the table holds`(row: StateTable.Row) {
        let resolution = row.situation.resolve(at: Given.now)
        #expect(resolution.state == row.state)
        #expect(resolution.explanation.reasons[0].code == row.code)
        #expect(!resolution.explanation.cure.isEmpty)
    }

    @Test func `the documented table is the tested one`() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../Documentation/state-table.md")
        if ProcessInfo.processInfo.environment["TENURE_WRITE_TABLES"] != nil {
            try Data(Self.page.utf8).write(to: page)
        }
        #expect(try String(contentsOf: page, encoding: .utf8) == Self.page)
    }

    @Test func `the table shows every state`() {
        let shown = Set(StateTable.parts.flatMap(\.rows).map(\.state.name))
        #expect(shown == ["trial", "licensed", "limited", "free_tier", "expired", "invalid"])
    }

    static var page: String {
        var lines = [
            "# Which state an app is in", "",
            "The client decides its state from what it has stored and from [trusted time](time.md), by this table: the"
                + " most specific row wins. Each row is a test (`StateTable.swift`), and this page is written from them:"
                + " `TENURE_WRITE_TABLES=1 swift test --filter StateTableTests`.", "",
            "The code is that of the first reason in the manager's `explanation`; those in"
                + " [formats](formats.md#reasons) are a server's, the others the client's own. A server that cannot be"
                + " reached adds the reason `server_unreached` at the end and changes nothing.",
        ]
        for part in StateTable.parts {
            lines += ["", "## \(part.title)", "", "| situation | state | entitled | code |", "|---|---|---|---|"]
            for row in part.rows {
                let state = if case .trial(let left) = row.state { "trial(daysLeft: \(left))" } else { "\(row.state)" }
                lines.append("| \(row.text) | `.\(state)` | \(row.state.isEntitled ? "yes" : "no") | `\(row.code)` |")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
