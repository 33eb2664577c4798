import Foundation
import GoldenFiles
import TenureClient
import TenureCore
import TenureLicensing
import Testing

@Suite struct StateTableTests {
    @Test(arguments: StateTable.parts.flatMap(\.rows))
    func `the state and its first reason match each row of the state table`(
        row: StateTable.Row
    ) {
        let resolution = row.situation.resolve(at: Given.now)
        #expect(resolution.state == row.state)
        #expect(resolution.explanation.reasons[0].code == row.code)
        #expect(!resolution.explanation.cure.isEmpty)
    }

    @Test func `the documented state table matches the tested rows`() throws {
        let page = URL.packageRoot.appending(path: "Documentation/state-table.md")
        if ProcessInfo.processInfo.environment["TENURE_WRITE_COPIES"] != nil {
            try Data(Self.page.utf8).write(to: page)
        }
        #expect(try String(contentsOf: page, encoding: .utf8) == Self.page)
    }

    @Test func `the state table shows every state that a launch determines`() {
        let shown = Set(StateTable.parts.flatMap(\.rows).map(\.state.name))
        #expect(shown == ["trial", "licensed", "limited", "free_tier", "expired", "invalid"])
    }

    static var page: String {
        var lines = [
            "# Which state an app is in", "",
            "This page is for app developers who want to know which state the client shows, and why. The client derives"
                + " the state from its stored data and from [trusted time](time.md). Of the rows that apply, the most"
                + " specific one decides. Each row is a test (`StateTable.swift`), and this page is generated from them:"
                + " `TENURE_WRITE_COPIES=1 swift test --filter StateTableTests`.", "",
            "The code is that of the first reason in the manager's `explanation`: one of the [server's](reasons.md) or"
                + " of the [client's own](client-reasons.md). If the server can't be reached, the reason"
                + " `server_unreached` is appended, and the state stays the same. If the stored record was unusable and"
                + " has been replaced, `record_corrupted` or `record_foreign` is appended in the same way.",
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

    @Test func `every reason code in the state table is registered, except that of a third-party server`() {
        let listed = Reason.Kind.client + Reason.Kind.licensing + Reason.Kind.trials
        let shown = Set(StateTable.parts.flatMap(\.rows).map(\.code))
        // Third-party servers may send reasons that our registry doesn't list.
        #expect(shown.subtracting(listed.map(\.text)) == ["seat_of_elders"])
    }

    @Test(arguments: StateTable.parts.flatMap(\.rows))
    func `the evidence of the client's reasons matches their declarations`(
        row: StateTable.Row
    ) {
        for reason in row.situation.resolve(at: Given.now).explanation.decided {
            guard let kind = Reason.Kind.client.first(where: { $0 == reason.code }) else { continue }
            #expect(kind.facts.faults(in: reason.evidence) == [])
        }
    }

    @Test(arguments: zip([0, 299, 300, -300, 86_400] as [Int64], [false, false, true, true, true]))
    func `an explanation names the time of a failed request unless it was less than five minutes ago`(
        age: Int64, isOld: Bool
    ) {
        var situation = Situation(unreached: RequestFailure(.offline, "no route"))
        situation.triedAt = Given.now.adding(seconds: -age)
        let message = situation.resolve(at: Given.now).explanation.decided.last?.message
        let triedAt = Given.now.adding(seconds: -age)
        #expect(
            message
                == (isOld
                    ? "The last request to the license server, on \(triedAt), failed."
                    : "There is no connection to the license server."))
    }
}
