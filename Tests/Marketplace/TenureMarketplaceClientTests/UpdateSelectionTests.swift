import Foundation
import TenureCore
import TenureMarketplaceClient
import Testing

/// Which entries of an updates response are passed to the system.
@Suite struct UpdateSelectionTests {
    struct Row: Sendable {
        var entry = UpdateAnswer.Entry(
            item: "6483539426", version: "20", shortVersion: "2.0", bundleVersion: "200",
            package: "https://market.example/adp/20", token: "jws")
        var installed: InstalledVersion? = InstalledVersion(
            account: Given.ada, version: Given.version(10), shortVersion: "1.10", bundleVersion: "110")
        let reason: UpdateSelection.Reason?

        init(_ reason: UpdateSelection.Reason?, _ change: (inout Row) -> Void = { _ in }) {
            self.reason = reason
            change(&self)
        }
    }

    private static let table: [Row] = [
        Row(nil),
        Row(.noID) { $0.entry.item = nil },
        Row(.noID) { $0.entry.item = "06483539426" },
        Row(.noID) { $0.entry.version = "two" },
        Row(.noID) { $0.entry.version = "0" },
        Row(.notInstalled) { $0.installed = nil },
        Row(.otherAccount) { $0.installed?.account = Given.bob },
        Row(.notNewer) { $0.entry.shortVersion = "1.9" },
        Row(.notNewer) { $0.entry.version = "10" },
        Row(.notNewer) { ($0.entry.shortVersion, $0.entry.bundleVersion) = ("1.10", "109") },
        Row(nil) { ($0.entry.shortVersion, $0.entry.bundleVersion) = ("1.10", "111") },
        Row(nil) { ($0.entry.shortVersion, $0.entry.bundleVersion) = ("1.10.0", "110") },
        // If a version text is missing on either side, only Apple's version number decides.
        Row(nil) { $0.entry.shortVersion = nil },
        Row(.notNewer) { ($0.entry.shortVersion, $0.entry.version) = (nil, "9") },
        Row(.notNewer) {
            $0.installed?.bundleVersion = nil
            $0.entry.version = "9"
        },
        Row(nil) { $0.entry.version = "9" },
        Row(nil) {
            $0.installed?.version = nil
            $0.entry.shortVersion = "0.1"
        },
        Row(.noToken) { $0.entry.token = nil },
        Row(.noToken) { $0.entry.token = "" },
        Row(.noPackage) { $0.entry.package = nil },
        Row(.noPackage) { $0.entry.package = "http://market.example/adp/20" },
        Row(.noPackage) { $0.entry.package = "/adp/20" },
        // The first applicable reason is reported.
        Row(.notInstalled) { ($0.installed, $0.entry.token) = (nil, nil) },
    ]

    @Test(arguments: table)
    func `only a complete and newer update of the account's installed app is passed to the system`(_ row: Row) {
        let installed = row.installed.map { [Given.game: $0] } ?? [:]
        let selection = UpdateSelection(UpdateAnswer(entries: [row.entry]), for: Given.ada, installed: installed)
        #expect(selection.dropped.map(\.reason) == (row.reason.map { [$0] } ?? []))
        #expect(selection.given.map(\.item) == (row.reason == nil ? [Given.game] : []))
        #expect(selection.given.first?.token == (row.reason == nil ? "jws" : nil))
    }

    @Test func `of several updates of an app, only the first complete one is passed to the system`() {
        var bad = Self.table[0].entry
        bad.token = nil
        var worse = Self.table[0].entry
        worse.shareURL = "javascript:alert(1)"
        let answer = UpdateAnswer(entries: [bad, worse, Self.table[0].entry])
        let selection = UpdateSelection(
            answer, for: Given.ada, installed: [Given.game: InstalledVersion(account: Given.ada, version: nil)])
        #expect(selection.dropped.map(\.reason) == [.noToken, .twice])
        #expect(selection.given.count == 1)
        #expect(selection.given.first?.shareURL == nil)
    }

    @Test func `the id members of an update may end in Id or ID, and a malformed id affects only its update`() throws {
        let json = """
            {"failures": [], "updates": [
              {"appleItemId": "6483539426", "appleVersionID": 20, "bundleVersion": "200", "shortVersionString": "2.0",
               "alternativeDistributionPackage": "https://market.example/adp/20", "installVerificationToken": "jws",
               "appShareURL": "https://market.example/apps/1", "new": {}},
              7, {"appleItemID": 6483539426, "appleVersionId": [], "installVerificationToken": null}]}
            """
        let answer = try JSONDecoder().decode(UpdateAnswer.self, from: Data(json.utf8))
        #expect(answer.entries.map(\.item) == ["6483539426", nil, "6483539426"])
        #expect(answer.entries.map(\.version) == ["20", nil, nil])
        #expect(answer.entries[0].shareURL == "https://market.example/apps/1")
        let restores = try JSONDecoder().decode(UpdateAnswer.self, from: Data(#"{"restores": [{}]}"#.utf8))
        #expect(restores.entries.count == 1)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(UpdateAnswer.self, from: Data(#"{"updates": {}}"#.utf8))
        }
    }

    @Test(arguments: [
        (nil, 24), (0, 24), (-5, 24), (1, 24), (24, 24), (25, 25), (168, 168), (169, 169), (8_760, 8_760),
        (8_761, 168), (43_200, 168), (.max, 168),
    ])
    func `an app's polling interval is a day to a year, or a week if the marketplace's is longer than a year`(
        _ hours: Int?, _ counted: Int64
    ) {
        #expect(UpdatePoll.interval(pollingInterval: hours) == counted * 3600)
        let last = Given.now.adding(seconds: -counted * 3600)
        #expect(UpdatePoll.isDue(last: last, pollingInterval: hours, at: Given.now))
        #expect(!UpdatePoll.isDue(last: last.adding(seconds: 1), pollingInterval: hours, at: Given.now))
        #expect(UpdatePoll.isDue(last: nil, pollingInterval: hours, at: Given.now))
        #expect(UpdatePoll.isDue(last: Given.now.adding(seconds: 1), pollingInterval: hours, at: Given.now))
    }
}
