import Testing

@testable import TenureHTTPServer

/// What a connection brings, scanned in one piece and in every other.
@Suite struct HeadScannerTests {
    /// The fault of a text that comes in pieces of a size, with its place counted from the first byte.
    private func fault(_ text: String, inPieces size: Int = .max, limit: Int = 4096) -> HeadScanner.Fault? {
        var scanner = HeadScanner(limit: limit)
        let bytes = Array(text.utf8)
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + min(size, bytes.count))
            let found = unsafe bytes[start..<end].withUnsafeBytes { unsafe scanner.scan($0) }
            if let found { return HeadScanner.Fault(status: found.status, offset: start + found.offset) }
            start = end
        }
        return nil
    }

    static let good = "GET /a?b HTTP/1.1\r\nHost: t\r\n\r\n"
    static let whole: [String] = [
        good, good + good, "\r\n\r\n" + good, "GET / HTTP/1.0\r\n\r\n", "GET / HTTP/1.1\nHost: t\n\n",
        "GET /a b HTTP/1.1\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\n Not\n" + good,
        "POST / HTTP/1.1\r\ncontent-length:0\r\n\r\n" + good,
        "POST / HTTP/1.1\r\nContent-Length: 003\t\r\n\r\nabc" + good,
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n \n\n\r\nA;x=y\r\n0123456789\r\n0\r\nT: x\r\n\r\n"
            + good,
        // Behind the last request of a connection nothing is a head.
        "GET / HTTP/1.1\r\nConnection: close\r\n\r\n nothing\r\n", "GET / HTTP/1.0\r\n\r\n nothing\r\n",
        "POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n nothing\r\n",
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n nothing\r\n",
    ]

    @Test(arguments: whole) func `what is well-formed is handed on, however it is cut`(text: String) {
        for size in [1, 2, 3, 7, 64, Int.max] { #expect(fault(text, inPieces: size) == nil, "in \(size)") }
    }

    static let bad: [(String, Int)] = [
        ("GET / HTTP/9.9\r\n", 505), ("PRI * HTTP/2.0\r\n", 505), ("GET / HTTP/1.10\r\n", 400),
        ("GET / http/1.1\r\n", 400),
        ("GET /\r\n", 400), ("hello\r\n", 400), (" GET / HTTP/1.1\r\n", 400), ("GET / HTTP/1.1 \r\n", 400),
        ("GET / HTTP/1.1\r\nA: b\r\n c\r\n", 400), ("GET / HTTP/1.1\r\n\tA: b\r\n", 400),
        ("GET / HTTP/1.1\r\nA\r\n", 400),
        ("GET / HTTP/1.1\r\n: b\r\n", 400), ("GET / HTTP/1.1\r\nA: b\rC: d\r\n", 400),
        ("POST / HTTP/1.1\r\nContent-Length: +3\r\n", 400), ("POST / HTTP/1.1\r\nContent-Length: 3, 3\r\n", 400),
        ("POST / HTTP/1.1\r\nContent-Length:\r\n", 400), ("POST / HTTP/1.1\r\nContent-Length: 0x3\r\n", 400),
        ("POST / HTTP/1.1\r\nContent-Length: 9999999999999999999\r\n", 413),
        ("GET /" + String(repeating: "x", count: 4096), 431),
        ("GET / HTTP/1.1\r\nX: " + String(repeating: "x", count: 4096), 431),
        ("GET / HTTP/1.1\r\n" + String(repeating: "A: b\r\n", count: 200), 431),
    ]

    @Test(arguments: bad) func `what the library would answer is found, and where it begins`(text: String, status: Int)
    {
        for size in [1, 2, 3, 7, 64, Int.max] { #expect(fault(text, inPieces: size)?.status == status, "in \(size)") }
        for before in [Self.good, "POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\n Not\n", "\r\n"] {
            let found = fault(before + text)
            #expect(found?.status == status)
            #expect(found?.offset == (before == "\r\n" ? 2 : before.utf8.count))
        }
    }

    @Test func `what was asked is known as far as it was read`() {
        var scanner = HeadScanner(limit: 4096)
        let bytes = Array("POST /a?b HTTP/1.1\r\nContent-Length: x\r\n".utf8)
        #expect(unsafe bytes.withUnsafeBytes { unsafe scanner.scan($0) } != nil)
        #expect(scanner.method == Array("POST".utf8) && scanner.target == Array("/a?b".utf8))
    }

    @Test func `a moment is written as header fields write it`() {
        #expect(HTTPDate(seconds: 784_111_777).text == "Sun, 06 Nov 1994 08:49:37 GMT")
    }
}
