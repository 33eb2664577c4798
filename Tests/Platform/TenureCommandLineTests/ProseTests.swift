import TenureFormats
import Testing

@testable import TenureCommandLine

/// Tests how text is broken into lines that fit a terminal.
@Suite struct ProseTests {
    @Test(arguments: [
        ("short", "short"),
        ("one two three four five", "one two three\nfour five"),
        ("  one two three four", "  one two\n  three four"),
        ("- one two three four", "- one two\n  three four"),
        ("state    one two three", "state    one\n       two\n       three"),
        ("run `tenure license list` now", "run\n`tenure license list`\nnow"),
        ("https://example.com/a-long-path x", "https://example.com/a-long-path\nx"),
        ("日本 日本語 日本語 語", "日本 日本語\n日本語 語"),
        ("first\none two three four", "first\none two three\nfour"),
        ("a `b", "a `b"), ("", ""), ("                    x", "                    x"),
    ])
    func `a line that is too wide is broken at spaces and continues at the indentation of its text`(
        text: String, broken: String
    ) {
        #expect(text.broken(to: 14) == broken)
    }

    @Test func `a long line is broken only on a terminal and only if it isn't JSON`() {
        let text = String(repeating: "word ", count: 30) + "end"
        for (isTerminal, lines) in [(true, 2), (false, 1)] {
            let (answers, notes) = (Transcript(isTerminal: isTerminal), Transcript(isTerminal: isTerminal))
            let console = Console.recorded(answers: answers, notes: notes, isColoured: false)
            console.answer(text)
            console.warn(text)
            #expect(answers.text.utf8.count { $0 == UInt8(ascii: "\n") } == lines)
            #expect(notes.text.utf8.count { $0 == UInt8(ascii: "\n") } == lines)
            console.answer { $0.member("text", text) }
            #expect(answers.writes.last?.utf8.count { $0 == UInt8(ascii: "\n") } == 1)
        }
    }
}
