import Foundation
import GoldenFiles
import TenureClient
import TenureCore
import TenureLicensing
import Testing

@Suite struct StateTableTests {
    @Test(arguments: StateTable.parts.flatMap(\.rows)) func `every row of the table holds`(row: StateTable.Row) {
        let resolution = row.situation.resolve(at: Given.now)
        #expect(resolution.state == row.state)
        #expect(resolution.explanation.reasons[0].code == row.code)
        #expect(!resolution.explanation.cure.isEmpty)
    }

    @Test func `the documented table is the tested one`() throws {
        let page = URL.packageRoot.appending(path: "Documentation/state-table.md")
        if ProcessInfo.processInfo.environment["TENURE_WRITE_COPIES"] != nil {
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
                + " `TENURE_WRITE_COPIES=1 swift test --filter StateTableTests`.", "",
            "The code is that of the first reason in the manager's `explanation`: a [server's](reasons.md), or the"
                + " [client's own](client-reasons.md). A server that cannot be reached adds the reason `server_unreached` at the end and changes nothing, and so does a record that could"
                + " not be used and was written over: `record_corrupted` or `record_foreign` follows the state's own"
                + " reasons.",
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

    @Test func `every code of the tables stands in a register`() {
        let listed = Reason.Kind.client + Reason.Kind.licensing + Reason.Kind.trials
        let shown = Set(StateTable.parts.flatMap(\.rows).map(\.code))
        // Third-party servers may send reasons that our registry doesn't list.
        #expect(shown.subtracting(listed.map(\.text)) == ["seat_of_elders"])
    }

    @Test(arguments: StateTable.parts.flatMap(\.rows)) func `what a client says of itself is as declared`(
        row: StateTable.Row
    ) {
        for reason in row.situation.resolve(at: Given.now).explanation.decided {
            guard let kind = Reason.Kind.client.first(where: { $0 == reason.code }) else { continue }
            #expect(kind.facts.faults(in: reason.evidence) == [])
        }
    }
}
