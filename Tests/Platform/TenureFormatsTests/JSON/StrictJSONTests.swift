import Testing

@testable import TenureFormats

@Suite struct StrictJSONTests {
    @Test(arguments: [
        "{}", "[]", "null", "true", "false", "0", "-0", "12", "-1.5", "1e5", "1E+5", "1.25e-10", "\"\"", " \t\r\n1 \n",
        "[1,2,3]", "[[],[[]],{}]", "{\"a\":1}", "{\"a\":{\"a\":{\"a\":[]}}}",
        "{ \"a\" : [ 1 , { \"b\" : null } ] , \"c\" : \"d\" }",
        "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\"", "\"\\u0000\"", "\"\\uD83D\\uDE00\"", "\"\\ud83d\\ude00\"",
        "\"\\uDBFF\\uDFFF\"",
        "\"\u{7F}\"", "\"é\"", "\"€\"", "\"😀\"", "\"\u{FFFF}\"", "\"\u{10FFFF}\"", "\"\u{2028}\"", "{\"\":0}",
        "[{\"a\":1},{\"a\":2}]", "{\"a\":{\"b\":1},\"b\":{\"a\":1}}", "{\"a\":1,\"A\":2}",
        "[123456789012345678901234567890]", "1e999",
        "{\"é\":1,\"e\u{301}\":2}", "[\"a\",\"a\"]", "{\"a\":[{\"a\":[{\"a\":1}]}],\"b\":2}",
    ])
    func `valid JSON is accepted`(text: String) throws {
        try StrictJSON.validate(Array(text.utf8))
    }

    @Test(arguments: [
        "", " ", "{", "}", "[", "]", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "[1,,2]", "[}", "{]", "[]]", "{}}", "{} {}",
        "1 2", "nul",
        "nulL", "True", "tru", "truee", "NaN", "Infinity", "-Infinity", "+1", "-", "--1", "01", "-01", "00", "1.", ".1",
        "1.e1",
        "1e", "1e+", "1e1.5", "0x10", "1_000", "'a'", "a", "{a:1}", "{'a':1}", "{\"a\"}", "{\"a\":}", "{\"a\":1,}",
        "{,\"a\":1}",
        "{\"a\" 1}", "{\"a\":1 \"b\":2}", "{\"a\":1;\"b\":2}", "{1:1}", "{null:1}", "{\"a\":1:2}", "\"", "\"a",
        "\"\\\"", "\"\\", "\"\\a\"",
        "\"\\x41\"", "\"\\u\"", "\"\\u12\"", "\"\\u123\"", "\"\\u12G4\"", "\"\\U0041\"", "\"\\ \"", "\"\u{0}\"",
        "\"\n\"", "\"\t\"", "\"\u{1F}\"",
        "\u{FEFF}{}", "é", "[é]", "[\u{A0}1]", "[1]\u{0}", "\u{0}", "// a\n1", "/* a */1", "1//", "\u{B}1", "\u{C}1",
        "\"\\uD800\"", "\"\\uDC00\"", "\"\\uDE00\\uD83D\"", "\"\\uD800\\uD800\"", "\"\\uD800a\"", "\"\\uD800\\n\"",
        "\"\\uD83D\\u0041\"",
        "\"\\uD83D\\uDE0\"", "[\"a\":1]", "{\"a\":1]", "[1}", "[\"a\"", "{\"a\":\"b", "\"a\"\"b\"", "[\"a\" \"b\"]",
    ])
    func `text that violates JSON's grammar is refused as malformed`(text: String) {
        #expect(throws: JSONError(.malformed)) { try StrictJSON.validate(Array(text.utf8)) }
    }

    @Test(
        arguments: [
            [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xC2, 0x22], [0xC2, 0xC2], [0xE0, 0x80, 0x80],
            [0xE0, 0x9F, 0xBF], [0xE1, 0x80],
            [0xE2, 0x82], [0xE2, 0x28, 0xA1], [0xE2, 0x82, 0x28], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
            [0xF0, 0x80, 0x80, 0x80],
            [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x9F, 0x98], [0xF0, 0x9F, 0x28, 0x80], [0xF0, 0x9F, 0x98, 0x28],
            [0xF4, 0x90, 0x80, 0x80],
            [0xF5, 0x80, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFE], [0xFF],
        ] as [[UInt8]])
    func `JSON with bytes that aren't UTF-8 is refused`(bytes: [UInt8]) {
        let quote = UInt8(ascii: "\"")
        for text in [
            [quote] + bytes + [quote], Array("{\"".utf8) + bytes + Array("\":1}".utf8), bytes, [quote] + bytes,
        ] {
            #expect(throws: JSONError(.notUTF8)) { try StrictJSON.validate(text) }
        }
    }

    @Test(arguments: [
        "{\"a\":1,\"a\":1}", "{\"a\":1,\"b\":2,\"a\":3}", "{\"a\":1,\"\\u0061\":2}", "{\"\\u0061\":1,\"\\u0061\":2}",
        "{\"😀\":1,\"\\uD83D\\uDE00\":2}", "{\"\":1,\"\":2}", "[{\"x\":{\"a\":1,\"a\":2}}]", "{\"a\":{},\"a\":[]}",
        "{\"a/\":1,\"a\\/\":2}",
    ])
    func `a duplicate member of a JSON object is refused`(text: String) {
        #expect(throws: JSONError(.duplicateMember)) { try StrictJSON.validate(Array(text.utf8)) }
    }

    @Test(arguments: [2, 15, 16, 17, 18, 1000])
    func `a duplicate member is found among 2 to 1,000 members of a JSON object`(count: Int) throws {
        var members = (0..<count).map { "\"k\($0)\":0" }
        try StrictJSON.validate(Array("{\(members.joined(separator: ","))}".utf8))
        members[count - 1] = "\"\\u006b0\":0"
        let text = "{\(members.joined(separator: ","))}"
        let error = #expect(throws: JSONError.self) { try StrictJSON.validate(Array(text.utf8)) }
        #expect(error?.code == .duplicateMember)
        #expect(error?.offset == text.utf8.count - "\"\\u006b0\":0}".utf8.count)
    }

    @Test func `a JSON object with a hundred thousand members is accepted`() throws {
        let members = (0..<100_000).map { "\"k\($0)\":0" }
        let object = try FlatObject(scanning: Array("{\(members.joined(separator: ","))}".utf8))
        #expect(object.count == 100_000)
    }

    @Test(arguments: [("[", "]"), ("{\"a\":", "}"), ("[{\"a\":", "}]")])
    func `JSON with more than 32 levels of nesting is refused`(open: String, close: String) throws {
        let levels = open.utf8.count { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }
        let inside = open.hasSuffix(":") ? "0" : ""
        func nested(_ count: Int) -> [UInt8] {
            Array((String(repeating: open, count: count) + inside + String(repeating: close, count: count)).utf8)
        }
        try StrictJSON.validate(nested(32 / levels))
        #expect(throws: JSONError(.tooDeep)) { try StrictJSON.validate(nested(32 / levels + 1)) }
        #expect(throws: JSONError(.tooDeep)) { try StrictJSON.validate(nested(100_000)) }
    }

    @Test func `closed brackets don't count towards the depth limit of JSON`() throws {
        try StrictJSON.validate(Array("[\(Array(repeating: "[[]]", count: 100).joined(separator: ","))]".utf8))
    }

    @Test(arguments: [
        ("[1,]", 3), ("{\"a\":tru}", 5), ("[\"\\q\"]", 2), ("[1] x", 4), ("[\"\\uD800\"]", 2), ("[01]", 2), ("", 0),
    ])
    func `a JSON error gives the offset of the first invalid byte`(text: String, offset: Int) {
        let error = #expect(throws: JSONError.self) { try StrictJSON.validate(Array(text.utf8)) }
        #expect(error?.offset == offset)
    }

    @Test func `a JSON object that is truncated anywhere is refused`() throws {
        let text = Array("{\"a\":[1.5e3,true,null,\"\\uD83D\\uDE00é\"],\"b\":{\"c\":-0}}".utf8)
        try StrictJSON.validate(text)
        for count in 0..<text.count {
            #expect(throws: JSONError.self) { try StrictJSON.validate(Array(text.prefix(count))) }
        }
    }
}

extension JSONError {
    /// Creates an error that tests compare by its code.
    init(_ code: Code) {
        self.init(code, at: 0, "")
    }
}
