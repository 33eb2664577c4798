import TenureHTTPServer
import Testing

@Suite struct HeadScannerTests {
    /// What a scanner found in a connection's bytes.
    struct Found: Equatable {
        var heads: [HeadScanner.Head] = []
        var passed = 0
        var refusal: Int?
    }

    static let requests = [
        "GET /a?b=c&d HTTP/1.1\r\nHost: t\r\n\r\n", "GET / HTTP/1.0\r\n\r\n",
        "POST / HTTP/1.1\r\nhOST:t\r\n"
            + "CONTENT-length:\t 7\r\nCookie: a=b; c=d\r\nExpect: 100-continue\r\n\r\n1234567",
        "OPTIONS * HTTP/1.1\r\nHost: \r\nHosts: x\r\nContent-Lengths: x\r\nX:\r\nY: \u{e9} \t\r\n\r\n",
    ]

    @Test func `heads and bodies are told apart`() {
        let found = Self.scan([Self.requests.joined()])
        #expect(found.refusal == nil)
        #expect(found.passed == Self.requests.joined().utf8.count)
        #expect(found.heads.map(\.contentLength) == [0, 0, 7, 0])
        #expect(found.heads.map(\.expectsContinue) == [false, false, true, false])
        #expect(found.heads.allSatisfy { !$0.isChunked })
    }

    static let chunkedHead = "POST / HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: CHUNKED\r\n\r\n"

    @Test(arguments: ["0\r\n\r\n", "3\r\nabc\r\n0\r\n\r\n", "00a\r\n0\r\n\r\n.....\r\nA\r\n0123456789\r\n000\r\n\r\n"])
    func `a chunked body passes however it is cut, and anything behind it`(body: String) {
        let whole = Array((Self.chunkedHead + body + "\u{0} whatever").utf8)
        for size in 1...whole.count {
            let parts = stride(from: 0, to: whole.count, by: size).map { whole[$0..<min($0 + size, whole.count)] }
            let found = Self.scan(parts: parts.map(Array.init))
            #expect(found.heads.map(\.isChunked) == [true])
            #expect(found.passed == whole.count && found.refusal == nil)
        }
    }

    @Test(arguments: [
        ("z", "0\r\n\r\n"), ("\r\n", "0\r\n\r\n"), ("3;a\r\nabc\r\n", "0\r\n\r\n"), ("3\nabc", "0\r\n\r\n"),
        ("fffffffffffffffff\r\n", "0\r\n\r\n"), ("0\r\nA: b\r\n\r\n", "0\r\n\r\n"), ("0\r\n\r.", "0\r\n\r\n"),
        ("3\r\nabcd", "\r\n0\r\n\r\n"), ("3\r\nabc\r.", "\r\n0\r\n\r\n"), ("3\r\nabc\r\nx", "0\r\n\r\n"),
    ])
    func `a broken chunk is refused, and its body gets an end`(body: String, ending: String) {
        var scanner = HeadScanner(sizeLimit: 1000, memoryLimit: 2000)
        let bytes = Array((Self.chunkedHead + body).utf8)
        let passed = bytes.withUnsafeBytes { scanner.scan($0) }
        #expect(scanner.refusal == 400)
        #expect(scanner.bodyEnding == ending)
        let again = Self.scan(parts: [Array(bytes[..<passed]) + Array(ending.utf8)])
        #expect(again.refusal == nil && again.passed == passed + ending.utf8.count)
    }

    @Test(arguments: FramingTests.refused) func `cuts change nothing`(text: String) {
        let whole = Self.requests.joined() + text + Self.requests[0]
        let expected = Self.scan([whole])
        #expect(expected.refusal == 400)
        #expect(expected.passed == Self.requests.joined().utf8.count)
        for size in 1...40 {
            let bytes = Array(whole.utf8)
            let parts = stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<min($0 + size, bytes.count)] }
            #expect(Self.scan(parts: parts.map(Array.init)) == expected)
        }
    }

    @Test(arguments: ["HTTP/2.0", "HTTP/9.9", "HTTP/1.2", "HTTP/0.9"]) func `another version is told so`(text: String) {
        #expect(Self.scan(["GET / \(text)\r\nHost: t\r\n\r\n"]).refusal == 505)
    }

    @Test func `two lengths of many digits are refused, and not added up`() {
        let length = "Content-Length: " + String(repeating: "3", count: 18) + "\r\n"
        #expect(Self.scan(["POST / HTTP/1.1\r\nHost: t\r\n" + length + length + "\r\n"]).refusal == 400)
    }

    @Test func `the size of a head and the memory of its lists are bounded`() {
        let start = "GET / HTTP/1.1\r\nHost: t\r\n"
        #expect(
            Self.scan([start + "X: " + String(repeating: "x", count: 1000 - start.utf8.count - 7) + "\r\n\r\n"]).refusal
                == nil)
        #expect(Self.scan([start + "X: " + String(repeating: "x", count: 1000)]).refusal == 431)
        #expect(Self.scan([start + String(repeating: "X:\r\n", count: 40)]).refusal == 431)
        #expect(Self.scan([start + "Cookie: " + String(repeating: "a;", count: 40)]).refusal == 431)
        #expect(Self.scan(["GET /?" + String(repeating: "&", count: 40)]).refusal == 431)
        let wrong = "GET /?" + String(repeating: "&", count: 40) + "\u{1}"
        #expect(Self.scan([wrong]).refusal == 431, "it was too large before it was wrong")
        #expect(Self.scan(wrong.map(String.init)).refusal == 431)
    }

    static func scan(_ texts: [String]) -> Found { scan(parts: texts.map { Array($0.utf8) }) }

    /// Scans parts as a connection's reader does: a part follows what the scanner didn't pass.
    static func scan(parts: [[UInt8]]) -> Found {
        var scanner = HeadScanner(sizeLimit: 1000, memoryLimit: 2000)
        var found = Found()
        var before = 0
        for part in parts where scanner.refusal == nil {
            let passed = part.withUnsafeBytes { scanner.scan($0) }
            if passed > 0 { found.passed = before + passed }
            before += part.count
        }
        while let head = scanner.takeHead() { found.heads.append(head) }
        found.refusal = scanner.refusal
        return found
    }
}
