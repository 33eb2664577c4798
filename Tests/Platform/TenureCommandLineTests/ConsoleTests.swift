import TenureCommandLine
import TenureCore
import Testing

struct ConsoleTests {
    @Test(arguments: [(true, true, true), (true, false, false), (false, true, false), (false, false, false)])
    func `an error is coloured only on a terminal and only if colour is enabled`(
        isTerminal: Bool, isWanted: Bool, isColoured: Bool
    ) {
        let notes = Transcript(isTerminal: isTerminal)
        Console.recorded(notes: notes, isColoured: isWanted).fail("refused")
        #expect(notes.text == (isColoured ? "\u{1B}[31mrefused\u{1B}[0m\n" : "refused\n"))
    }

    @Test func `results go to standard output, and notes and warnings to standard error`() {
        let answers = Transcript()
        let notes = Transcript()
        let console = Console.recorded(answers: answers, notes: notes)
        console.answer("yes")
        console.note("by the way")
        console.warn("mind the gap")
        #expect(answers.text == "yes\n")
        #expect(notes.text == "by the way\nmind the gap\n")
    }

    @Test(arguments: ["\u{9B}31m", "\u{85}", "\u{202E}", "\u{2066}", "\u{200F}", "\u{1B}[2J", "\u{7F}", "\u{2028}"])
    func `control characters in untrusted text are escaped in output lines and in JSON`(mark: String) throws {
        let answers = Transcript()
        Console.recorded(answers: answers).answer(lines: ["holder    a\(mark)b"])
        #expect(!answers.text.unicodeScalars.contains(mark.unicodeScalars.first!))
        #expect(answers.text.hasPrefix("holder    a\\u{"))
        guard mark.unicodeScalars.first!.value > 0x7E else { return }
        let json = "{\"holder\":\"a\(mark)b\"}".printableJSON
        #expect(json.utf8.allSatisfy { $0 < 0x7F })
        #expect(json == "{\"holder\":\"a" + mark.unicodeScalars.map(Self.escape).joined() + "b\"}")
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        guard scalar.value > 0x7E else { return String(scalar) }
        let digits = String(scalar.value, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }

    @Test func `non-ASCII letters and emoji stay unchanged in printable JSON`() {
        #expect("{\"holder\":\"Zoë \u{1F600} 名\"}".printableJSON == "{\"holder\":\"Zoë \u{1F600} 名\"}")
    }

    @Test func `20,000 lines are written in fewer than five writes, each of which ends at a line feed`() {
        let answers = Transcript()
        let lines = (0..<20_000).map { "line \($0)" }
        Console.recorded(answers: answers).answer(lines: lines)
        #expect(answers.text == lines.map { $0 + "\n" }.joined())
        #expect(answers.writes.count < 5)
        #expect(answers.writes.allSatisfy { $0.hasSuffix("\n") })
    }

    @Test func `a console reads its input line by line, and returns nil after the last line`() {
        let console = Console.recorded(input: ["NOTE-1", ""])
        #expect(console.readInputLine() == "NOTE-1")
        #expect(console.readInputLine() == "")
        #expect(console.readInputLine() == nil)
    }

    @Test func `the columns of a table are aligned, without trailing spaces`() {
        var table = TextTable([.text("LICENSE"), .number("SEATS"), .text("HOLDER")])
        table.add(["NOTE-1", "3", "ada@example.com"])
        table.add(["NOTE-1000", "12", ""])
        table.add(["N\u{1B}[2J", "7"])
        let answers = Transcript()
        Console.recorded(answers: answers).answer(table)
        #expect(
            answers.text == #"""
                LICENSE     SEATS  HOLDER
                NOTE-1          3  ada@example.com
                NOTE-1000      12
                N\u{1b}[2J      7

                """#)
    }

    @Test func `a table's headings are bold only on a terminal`() {
        let table = TextTable([.text("LICENSE")])
        let terminal = Transcript(isTerminal: true)
        Console.recorded(answers: terminal).answer(table)
        #expect(terminal.text == "\u{1B}[1mLICENSE\u{1B}[0m\n")
        let pipe = Transcript()
        Console.recorded(answers: pipe).answer(table)
        #expect(pipe.text == "LICENSE\n")
    }

    @Test func `a status text is coloured by its first word, and only on a terminal`() {
        var table = TextTable([.text("license"), .state("state"), .text("holder")])
        table.add(["a", "active", "ada"])
        table.add(["b", "revoked, replaced", "active"])
        table.add(["c", "issued", ""])
        let lines = [LabeledText<String>("holder") { $0 }, .state("state") { $0 }]
        let terminal = Transcript(isTerminal: true)
        for answers in [terminal, Transcript()] {
            let console = Console.recorded(answers: answers)
            console.answer(table)
            console.answer(lines, of: "suspended")
            console.answer(console.shown(state: "FAILURE"))
            #expect(
                answers.text.replacing(/\u{1B}\[[0-9]+m/, with: "") == """
                    license  state              holder
                    a        active             ada
                    b        revoked, replaced  active
                    c        issued
                    holder    suspended
                    state     suspended
                    FAILURE

                    """)
            guard answers === terminal else { continue }
            #expect(answers.text.contains("a        \u{1B}[32mactive\u{1B}[0m             ada"))
            #expect(answers.text.contains("b        \u{1B}[31mrevoked, replaced\u{1B}[0m  active"))
            #expect(answers.text.contains("holder    suspended\nstate     \u{1B}[33msuspended\u{1B}[0m\n"))
            #expect(answers.text.hasSuffix("\u{1B}[31mFAILURE\u{1B}[0m\n"))
        }
    }

    @Test func `an alert is written to standard output if that is a terminal and the error output isn't`() {
        for (answering, noting, isShown) in [(true, false, true), (true, true, false), (false, false, false)] {
            let answers = Transcript(isTerminal: answering)
            let notes = Transcript(isTerminal: noting)
            Console.recorded(answers: answers, notes: notes, isColoured: false).alert("port\u{1B} taken")
            #expect(answers.text == (isShown ? "port\\u{1b} taken\n" : ""))
            #expect(notes.text == "")
        }
    }

    @Test(arguments: [
        "from 2026-11-21T08:00:00Z to 2027-11-21T08:00:00Z.", "on 2026-11-21", "2026-13-45T99:99:99Z", "",
    ])
    func `an ISO 8601 date and time in a text is replaced by local time, and other text stays unchanged`(text: String) {
        let shown = text.split(separator: " ", omittingEmptySubsequences: false).map { word in
            let isStop = word.hasSuffix("Z.")
            guard word.count > 10, let date = Timestamp(text: String(isStop ? word.dropLast() : word)) else {
                return String(word)
            }
            return date.local + (isStop ? "." : "")
        }
        #expect(text.withLocalDates == shown.joined(separator: " "))
        #expect(Timestamp(seconds: 1_790_000_000).local.contains(/^2[0-9] September 2026, [0-9]{2}:[0-9]{2} .+$/))
    }

    @Test(arguments: [
        ("plain", "plain"), ("Grüße 😀", "Grüße 😀"), ("a\nb\tc\rd", #"a\nb\tc\rd"#), ("\u{7F}\u{9B}", #"\u{7f}\u{9b}"#),
        ("\u{202E}gpj.exe", #"\u{202e}gpj.exe"#),
    ])
    func `control characters, line breaks and direction marks in text are escaped, and letters aren't`(
        text: String, shown: String
    ) {
        #expect(text.printable == shown)
    }
}
