import TenureCommandLine
import Testing

struct ManualPageTests {
    private static let awkward = Program(
        "sample", version: "1.2-dev", "Shows text.", example: "sample show",
        sections: [
            CommandSection(
                "Commands",
                [
                    Command(
                        "show", "Shows it.", discussion: ".dot and 'quote\n\n'quote and \\ and `~^\"",
                        example: ".hidden --all\n\n'quoted'", arguments: [Argument.json]
                    ) { _, _ in .done }
                ])
        ], topics: [.init("exit-codes", "0  Done."), .init("machines", inManual: false, "{}")])

    private func page(of program: Program) async -> String {
        let answers = Transcript()
        _ = await program.run(["help", "man-page"], console: .recorded(answers: answers, notes: Transcript()))
        return answers.text
    }

    @Test func `the manual page escapes text that roff would read as a request`() async {
        let page = await page(of: Self.awkward)
        #expect(page.contains("\n\\&.dot and \\(aqquote\n"))
        #expect(page.contains("\n\\(aqquote and \\e and \\(ga\\(ti\\(ha\\(dq\n"))
        #expect(page.contains(".EX\n\\&.hidden \\-\\-all\n\n\\(aqquoted\\(aq\n.EE\n"))
    }

    @Test func `the manual page contains the version, the commands and the topics that aren't excluded from it`() async
    {
        let page = await page(of: Self.awkward)
        #expect(page.hasPrefix(".TH \"SAMPLE\" 1 \"\" \"sample 1.2\\-dev\" \"User Commands\"\n"))
        #expect(page.contains(".SH NAME\nsample \\- shows text\n"))
        #expect(page.contains(".SS sample show\n"))
        #expect(page.contains("\n.TP\n.B \\-\\-json\nPrint the result as JSON.\n"))
        #expect(page.contains(".SH EXIT CODES\n.PP\n.EX\n0  Done.\n.EE\n"))
        #expect(!page.contains("MACHINES"))
    }

    @Test func `an option that twelve commands share is described once in the manual page`() async {
        let commands = (0..<12).map { number in
            Command("c\(number)", "Shows it.", example: "sample", arguments: [Sample.data]) { _, _ in .done }
        }
        let page = await page(
            of: Program(
                "sample", version: "1", "Shows text.", example: "sample",
                sections: [CommandSection("Commands", commands)]))
        #expect(page.ranges(of: ".B \\-\\-data DIR\n").count == 1)
        #expect(page.ranges(of: "\nCommon options: \\-\\-data\n").count == 12)
    }
}
