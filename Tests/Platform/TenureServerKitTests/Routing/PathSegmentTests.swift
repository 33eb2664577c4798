import TenureHTTP
import TenureServerKit
import Testing

@Suite struct PathSegmentTests {
    static func value(_ segment: String) -> String? {
        var router = Router()
        router.on("GET", "/x/{name}") { _, _ in .text("") }
        guard case .route(_, let path) = router.match("GET", "/x/" + segment) else { return nil }
        return path["name"]
    }

    @Test(arguments: [
        ("notes", "notes"), ("a%20b", "a b"), ("%41%c3%A9", "Aé"), ("é", "é"), ("%2e%2e%2e", "..."), (".a", ".a"),
        ("a+b", "a+b"), ("%25", "%"), ("%2525", "%25"), ("..%20", ".. "), ("a:b@c", "a:b@c"), ("%5C", "\\"),
    ])
    func `a path segment is percent-decoded exactly once`(segment: String, value: String) {
        #expect(Self.value(segment) == value)
    }

    @Test(arguments: [
        "", ".", "..", "%2e", "%2E%2e", ".%2e", "%", "%4", "%4g", "%g4", "a%", "%2f", "a%2Fb", "%00", "a%00b", "%0a",
        "%7f", "%1F", "%ff", "%c3", "%c0%af", "a\u{0}b", "a/..",
    ])
    func `a path segment is refused if empty, one or two dots, badly encoded, or with a slash or control character`(
        segment: String
    ) {
        #expect(Self.value(segment) == nil)
    }

    @Test func `a path segment whose bytes are all percent-encoded is decoded to the same text`() {
        var generator = SplitMix(state: 7)
        for _ in 0..<500 {
            let name = String(
                String.UnicodeScalarView(
                    (0..<Int.random(in: 1...12, using: &generator)).map { _ in
                        Unicode.Scalar(UInt32.random(in: 0x30...0x2FF, using: &generator)) ?? "x"
                    }.filter { $0 != "\u{7F}" } + ["x"]))
            let digits = Array("0123456789abcdef")
            let encoded = name.utf8.map { "%\(digits[Int($0 >> 4)])\(digits[Int($0 & 15)])" }.joined()
            #expect(Self.value(encoded) == name)
        }
    }
}
