import TenureCommandLine
import Testing

struct CSVRowTests {
    @Test(arguments: [
        ("plain", "plain"), ("a,b", "\"a,b\""), ("say \"x\"", "\"say \"\"x\"\"\""), ("a\nb", "\"a\nb\""), ("", ""),
        // In Swift, the comma, line break or quote of each text forms one `Character` with a scalar next to it.
        ("a,\u{301}b", "\"a,\u{301}b\""), ("a\r\nb", "\"a\r\nb\""), ("q\"\u{301}r", "\"q\"\"\u{301}r\""),
        ("\"\u{FE0F}", "\"\"\"\u{FE0F}\""),
    ])
    func `a CSV cell with a comma, quote or line break is quoted, and its quotes are doubled`(
        cell: String, written: String
    ) {
        #expect(CSVRow.text(of: [cell]).utf8.elementsEqual("\(written)\n".utf8))
    }

    @Test(arguments: [
        "=1", "+1", "-1", "@x", "\tx", "=\u{301}1", " =1", "\u{A0}\u{3000}+1", "\u{FEFF}=1", "\u{200B}@x", "\u{FF1D}1",
        "\u{FF0B}1", "\u{FF0D}1", "\u{FF20}x", " \u{FF1D}1",
    ])
    func `a cell that a spreadsheet would execute as a formula gets a leading apostrophe`(cell: String) {
        #expect(CSVRow.text(of: [cell, "b"]) == "'\(cell),b\n")
    }

    @Test func `a cell that needs no quotes and isn't a formula is written unchanged`() {
        #expect(CSVRow.text(of: ["a=b", "1-2", "ada@example.com", " x "]) == "a=b,1-2,ada@example.com, x \n")
    }
}
