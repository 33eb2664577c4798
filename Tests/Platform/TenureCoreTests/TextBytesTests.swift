import TenureCore
import Testing

@Suite struct TextBytesTests {
    /// Scalars that form one `Character` with the scalar before or after them.
    static let marks = ["\u{301}", "\u{FE0F}", "\u{200D}", "\u{600}", "\u{20E3}", "\u{D4E}"]

    @Test(arguments: marks) func `a separator is found next to a scalar that forms one Character with it`(
        mark: String
    ) {
        for text in ["a\(mark),\(mark)b", "\(mark),b", ",\(mark)", "a,\(mark)"] {
            let parts = text.split(atByte: ",", omittingEmptySubsequences: false)
            #expect(
                parts.count == 2
                    && parts.joined(separator: "|").utf8.elementsEqual(
                        text.utf8.map { $0 == UInt8(ascii: ",") ? UInt8(ascii: "|") : $0 })
            )
            #expect(text.cut(at: ",").map { "\($0.before)\($0.after)".utf8.count } == text.utf8.count - 1)
            #expect(text.cut(atLastByte: ",") != nil && text.contains(byte: ","))
        }
        #expect("Bearer \(mark)token".text(after: "Bearer ").map { $0.utf8.elementsEqual("\(mark)token".utf8) } == true)
        #expect(
            "a\(mark)\r\n\(mark)b\n".lines.map { Array($0.utf8) } == ["a\(mark)", "\(mark)b"].map { Array($0.utf8) })
    }

    @Test func `text is split, cut and trimmed at ASCII bytes`() {
        #expect("a,,b,".split(atByte: ",") == ["a", "b"])
        #expect("a,,b,".split(atByte: ",", omittingEmptySubsequences: false) == ["a", "", "b", ""])
        #expect("a,b,c".split(atByte: ",", maxSplits: 1) == ["a", "b,c"])
        #expect("a://b://c".cut(at: "://").map { [$0.before, $0.after] } == ["a", "b://c"])
        #expect("a:/b".cut(at: "://") == nil && "".cut(at: ":") == nil && "a".cut(at: "") == nil)
        #expect("a?b#c".before(anyByteOf: "#?") == "a" && "abc".before(anyByteOf: "#?") == "abc")
        #expect(" \t a b\t".withoutBlanks == "a b" && " \u{A0}".withoutBlanks == "\u{A0}")
        #expect("ÄK\u{212A}".asciiLowercased == "Äk\u{212A}")
    }

    @Test(arguments: [
        ("a\nb\r\nc\rd", ["a", "b", "c", "d"]), ("\u{FEFF}a\n", ["a"]), ("a\n\n", ["a", ""]), ("", []), ("\n", [""]),
        ("\r\r\n\n", ["", "", ""]), ("a\u{2028}b\u{85}c", ["a\u{2028}b\u{85}c"]),
    ]) func `text is split into lines at a line feed, a carriage return or both`(text: String, lines: [String]) {
        #expect(text.lines.map(String.init) == lines)
    }

    @Test(arguments: [
        ("secret word\r\nx", "secret word"), ("\u{FEFF}secret\r\n", "secret"), ("secret\r", "secret"), ("", ""),
        (" secret \n", " secret "), ("\r\nsecret", ""), ("se\u{301}\ncret", "se\u{301}"),
    ]) func `the first line of a file is read without a byte order mark and its line end`(file: String, line: String) {
        #expect(String(firstLineOf: Array(file.utf8)) == line)
    }

    @Test func `a file that isn't UTF-8 has no first line`() {
        #expect(String(firstLineOf: [0x61, 0xFF]) == nil)
        #expect(String(firstLineOf: [0xFF, 0xFE, 0x61, 0x00]) == nil, "UTF-16")
    }

    @Test func `list elements, parameters and cookies are parsed from the values of header fields`() {
        #expect(HeaderText.elements(of: ["a , b,,", "\tc"]) == ["a", "b", "c"])
        #expect(HeaderText.lastElement(of: ["a", "b, c"]) == "c")
        #expect(HeaderText.lastElement(of: ["a,"]) == "" && HeaderText.lastElement(of: []) == nil)
        let (value, parameters) = HeaderText.parameters(of: " Text/HTML ; Q = 0.5;q=1 ;x")
        #expect(value == "text/html" && parameters == ["q": "0.5"])
        let fields = ["a=1; b=2;a=3", " a=4=5; a =6; ab=7; a"]
        #expect(HeaderText.cookies("a", in: fields) == ["1", "3", "4=5"])
        #expect(HeaderText.cookies("a", in: ["\u{600};a=1", "x\u{301};a=\u{301}"]).map { $0.utf8.count } == [1, 2])
    }

    @Test(arguments: [
        ("e\u{301}", "\u{E9}"), ("\u{1112}\u{1161}\u{11AB}", "\u{D55C}"), ("a\u{323}\u{307}", "\u{1EA1}\u{307}"),
        ("\u{212A}", "\u{212A}"), (" A b ", " A b "),
    ]) func `a text's normal form composes accents and Hangul, and keeps letter case, blanks and the Kelvin sign`(
        text: String, composed: String
    ) {
        #expect(text.inNormalFormC.utf8.elementsEqual(composed.utf8))
    }
}
