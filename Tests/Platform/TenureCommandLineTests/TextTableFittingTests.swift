import Testing

@testable import TenureCommandLine

@Suite struct TextTableFittingTests {
    private static let date = "8 December 2026, 19:39 CET"

    private func table(_ titles: [String], _ rows: [[String]]) -> TextTable {
        var table = TextTable(titles.map { .text($0) })
        for row in rows { table.add(row) }
        return table
    }

    private func text(_ table: TextTable, columns: Int, isTerminal: Bool = true, isWide: Bool = false) -> String {
        let answers = Transcript(isTerminal: isTerminal, columns: columns)
        let console = Console.recorded(answers: answers, isColoured: false)
        (isWide ? console.wide() : console).answer(table)
        return answers.text
    }

    private var licenses: TextTable {
        table(
            ["license", "state", "ends", "order", "holder"],
            [["lic_1", "active", Self.date, "-", "ada@example.com"], ["lic_2", "issued", "never", "", "eve"]])
    }

    @Test func `a table that fits the terminal stays unchanged`() {
        #expect(text(licenses, columns: 67) == text(licenses, columns: 10, isTerminal: false))
        #expect(text(licenses, columns: 67).contains(Self.date))
    }

    @Test(arguments: [(64, true), (62, true), (10, false)])
    func `with --wide, a table isn't fitted to the terminal's width`(columns: Int, isTerminal: Bool) {
        #expect(
            text(licenses, columns: columns, isTerminal: isTerminal, isWide: true)
                == text(licenses, columns: 200, isTerminal: false))
    }

    @Test(arguments: [
        (66, "8 December 2026, 19:39 CET"), (60, "8 December 2026, 19:39 CET"), (59, "8 Dec 2026, 19:39"),
        (51, "8 Dec 2026, 19:39"), (50, "8 Dec 2026"), (44, "8 Dec 2026"),
    ])
    func `a table that is too wide drops empty columns, then time zones, then times`(columns: Int, date: String) {
        let lines = text(licenses, columns: columns).split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines[0].hasPrefix("license  state   ends") && !lines[0].contains("order"))
        #expect(lines[1].contains("  \(date)  "))
        #expect(lines.allSatisfy { $0.count <= columns })
    }

    @Test func `table rows that are too wide even without times are split into two lines`() {
        #expect(
            text(licenses, columns: 30) == """
                license  state   ends
                  holder
                lic_1    active  8 Dec 2026
                  ada@example.com
                lic_2    issued  never
                  eve

                """)
    }

    @Test func `table rows that would need more than two lines become lists of titles and cells`() {
        #expect(
            text(licenses, columns: 16) == """
                license  lic_1
                state    active
                ends     8 Dec
                         2026
                holder   ada@example.com

                license  lic_2
                state    issued
                ends     never
                holder   eve

                """)
    }

    @Test func `a table's last column of several words is wrapped to the terminal's width`() {
        let events = table(
            ["when", "event", "facts"],
            [[Self.date, "license.changed", "previousPolicy pro, policy team, holder ada"]])
        #expect(
            text(events, columns: 56) == """
                when        event            facts
                8 Dec 2026  license.changed  previousPolicy pro, policy
                                             team, holder ada

                """)
    }

    @Test func `wide characters take two terminal columns, and combining marks none`() {
        let table = table(["name", "state"], [["名前", "active"], ["e\u{301}va", "active"]])
        #expect(text(table, columns: 12) == text(table, columns: 100))
        let lines = text(table, columns: 11).split(separator: "\n")
        #expect(lines.allSatisfy { String($0).displayWidth <= 11 })
        #expect("名e\u{301}".displayWidth == 3)
    }

    @Test func `an empty table keeps its headings`() {
        #expect(text(table(["license", "state"], []), columns: 10) == "license  state\n")
    }

    @Test func `all lines of a table row have the row's colour`() {
        let answers = Transcript(isTerminal: true, columns: 30)
        Console.recorded(answers: answers).answer(licenses, colours: [.red, nil])
        let lines = answers.text.split(separator: "\n")
        #expect(lines[2].hasPrefix("\u{1B}[31mlic_1") && lines[3].hasPrefix("\u{1B}[31m  ada"))
        #expect(lines[4].hasPrefix("lic_2"))
    }
}
