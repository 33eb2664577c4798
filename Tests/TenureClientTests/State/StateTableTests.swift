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
                + " reached adds the reason `server_unreached` at the end and changes nothing, and so does a record that could"
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
        lines += ["", "## The client's own codes", "", "| code | means |", "|---|---|"]
        lines += codes.map { "| `\($0)` | \($1) |" }
        return lines.joined(separator: "\n") + "\n"
    }

    @Test func `every code of the tables that is not a server's is explained`() {
        let told: Set = [
            "license_expired", "license_revoked", "license_suspended", "activation_released", "license_unknown",
            "seat_of_elders",
        ]
        let shown = Set(StateTable.parts.flatMap(\.rows).map(\.code))
        #expect(shown.subtracting(told).isSubset(of: Self.codes.map(\.0)))
    }

    private static let codes = [
        ("clock_set_back", "the device's clock stands further back than an hour"),
        ("lease_holds", "a lease confirms the license"),
        ("lease_lapsed", "nothing confirmed the license until its lease ended"),
        ("lease_unverifiable", "the kept lease does not verify; the evidence names the problem"),
        ("lease_missing", "a license is kept without a lease"),
        ("license_refused", "the server refused the license without a reason"),
        ("record_corrupted", "the record was changed or cut; or one that was here before, with when that was found"),
        ("record_foreign", "the record is another device's or product's; or one that was here before"),
        ("record_unreadable", "the record cannot be read now"),
        ("record_unwritable", "the record cannot be written now"),
        ("trial_running", "the trial runs"),
        ("trial_ended", "the trial is over"),
        ("trial_not_started", "nobody started a trial"),
        ("trial_not_offered", "there is no trial for this device"),
        ("free_tier", "the product has a free plan"),
        ("no_free_tier", "the product has no free plan"),
        ("product_terms_unknown", "no server was asked yet what is free"),
        ("server_unreached", "the last request brought nothing; the evidence names the cause"),
        ("not_looked_yet", "the manager has not looked since the app started"),
    ]
}
