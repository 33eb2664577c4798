import TenureHTTP
import TenureThreads
import Testing

@testable import TenureHTTPServer

@Suite struct ConnectionStateTests {
    static let requests = [
        "GET /a?b=c&d HTTP/1.1\r\nHost: t\r\n\r\n", "GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n",
        "POST / HTTP/1.1\r\nhOST:t\r\n"
            + "CONTENT-length:\t 7\r\nCookie: a=b; c=d\r\nExpect: 100-continue\r\n\r\n1234567",
        "OPTIONS * HTTP/1.1\r\nHost: \r\nHosts: x\r\nContent-Lengths: x\r\nX:\r\nY: \u{e9} \t\r\n\r\n",
    ]

    @Test func `a request is parsed into its head, fields and body`() {
        let found = Exchange(Self.requests.joined())
        #expect(found.refusal == nil)
        #expect(found.requests.map(\.line) == ["GET /a b=c&d", "GET / ", "POST / ", "OPTIONS * "])
        #expect(found.requests.map(\.body) == ["", "", "1234567", ""])
        #expect(found.continues == 1)
        let fields = found.requests[3].headers.fields
        #expect(fields.map(\.name) == ["Host", "Hosts", "Content-Lengths", "X", "Y"])
        #expect(fields.map(\.value) == ["", "x", "x", "", "\u{e9}"])
    }

    static let chunkedHead = "POST / HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: CHUNKED\r\n\r\n"

    @Test(arguments: [
        ("0\r\n\r\n", ""), ("3\r\nabc\r\n0\r\n\r\n", "abc"),
        ("00a\r\n0\r\n\r\n.....\r\nA\r\n0123456789\r\n000\r\n\r\n", "0\r\n\r\n.....0123456789"),
    ])
    func `a chunked body is read however its bytes are split, and the connection ends after the body`(
        chunks: String, body: String
    ) {
        let whole = Self.chunkedHead + chunks + "\u{0} whatever"
        for size in 1...whole.utf8.count {
            let found = Exchange(whole, cutAfter: size)
            #expect(found.requests.map(\.body) == [body])
            #expect(found.refusal == nil && found.hasEnded)
        }
    }

    @Test(arguments: [
        "z", "\r\n", "3;a\r\nabc\r\n", "3\nabc", "fffffffffffffffff\r\n", "0\r\nA: b\r\n\r\n", "0\r\n\r.", "3\r\nabcd",
        "3\r\nabc\r.", "3\r\nabc\r\nx",
    ])
    func `a malformed chunk, a chunk extension or a trailer is refused, and the connection ends`(chunks: String) {
        for size in [1, 7, 1000] {
            let found = Exchange(Self.chunkedHead + chunks, cutAfter: size)
            #expect(found.refusal == 400 && found.hasEnded && found.requests.isEmpty)
        }
    }

    @Test(arguments: FramingTests.refused)
    func `valid and malformed requests are parsed the same however their bytes are split`(text: String) {
        let whole = Self.requests.joined() + text + Self.requests[0]
        let expected = Exchange(whole)
        #expect(expected.refusal == 400 && expected.hasEnded)
        #expect(expected.requests.count == Self.requests.count)
        for size in 1...40 { #expect(Exchange(whole, cutAfter: size) == expected) }
    }

    @Test(arguments: ["HTTP/2.0", "HTTP/9.9", "HTTP/1.2", "HTTP/0.9"])
    func `an unsupported HTTP version gets status 505`(text: String) {
        #expect(Exchange("GET / \(text)\r\nHost: t\r\n\r\n").refusal == 505)
    }

    @Test func `two Content-Length fields of many digits are refused`() {
        let length = "Content-Length: " + String(repeating: "3", count: 18) + "\r\n"
        #expect(Exchange("POST / HTTP/1.1\r\nHost: t\r\n" + length + length + "\r\n").refusal == 400)
    }

    @Test func `a request head of too many bytes, fields, cookies or parameters is refused with 431`() {
        let start = "GET / HTTP/1.1\r\nHost: t\r\n"
        let longest = start + "X: " + String(repeating: "x", count: 1000 - start.utf8.count - 7) + "\r\n\r\n"
        #expect(Exchange(longest).requests.count == 1)
        #expect(Exchange(start + "X: " + String(repeating: "x", count: 1000)).refusal == 431)
        #expect(Exchange(start + String(repeating: "X:\r\n", count: 120)).refusal == 431)
        #expect(Exchange(start + "Cookie: " + String(repeating: "a;", count: 120)).refusal == 431)
        #expect(Exchange("GET /?" + String(repeating: "&", count: 120)).refusal == 431)
        let wrong = "GET /?" + String(repeating: "&", count: 120) + "\u{1}"
        #expect(Exchange(wrong).refusal == 431, "it was too large before it was wrong")
        #expect(Exchange(wrong, cutAfter: 1).refusal == 431)
    }

    @Test(arguments: [
        ("1.1", "", false), ("1.1", "close", true), ("1.1", "x,\t CLOSE ,y", true), ("1.1", "closed", false),
        ("1.0", "", true), ("1.0", "keep-alive", false), ("1.0", "Keep-Alive, close", true),
    ])
    func `a connection ends after a request with Connection: close, or an HTTP/1.0 request without keep-alive`(
        version: String, field: String, ends: Bool
    ) {
        let request = "GET / HTTP/\(version)\r\nHost: t\r\nConnection: \(field)\r\n\r\n"
        let found = Exchange(request + request)
        #expect(found.hasEnded == ends && found.requests.count == (ends ? 1 : 2))
    }

    @Test func `a request's deadline counts from its first byte, and later bytes don't extend it`() {
        var state = newState {
            $0.requestDeadline = .seconds(10)
            $0.idleTimeout = .seconds(4)
        }
        #expect(state.deadline == .seconds(4))
        let bytes = Array("GET / HTTP/1.1\r\nHost: t\r\n\r\n".utf8)
        for (number, byte) in bytes.enumerated() {
            let action = [byte].withUnsafeBytes { state.receive($0, at: .seconds(3 + number)) { _ in true } }
            #expect(action == (number == bytes.count - 1 ? .handle : .wait))
            #expect(state.deadline == min(.seconds(13), .seconds(number == bytes.count - 1 ? 13 : 7 + number)))
        }
        #expect(state.requestDeadline == .seconds(13))
        #expect(state.expire() == .giveUp)
    }

    @Test func `the idle timeout restarts when bytes are sent or a response ends, and then closes the connection`() {
        var state = newState { $0.idleTimeout = .seconds(4) }
        let whole = Array("GET / HTTP/1.1\r\nHost: t\r\n\r\n".utf8)
        #expect(whole.withUnsafeBytes { state.receive($0, at: .seconds(1)) { _ in true } } == .handle)
        state.sent(at: .seconds(8))
        #expect(state.deadline == .seconds(12) && !state.isReceiving)
        #expect(state.responded(at: .seconds(9)) { _ in true } == .wait)
        #expect(state.deadline == .seconds(13) && state.isReceiving)
        #expect(state.expire() == .close)
    }

    @Test func `a response has stalled only if none of its bytes were sent for the given time`() {
        var state = newState { $0.idleTimeout = .seconds(4) }
        state.sent(at: .seconds(10))
        #expect(!state.hasStalled(for: .seconds(2), at: .seconds(11)))
        state.sent(at: .seconds(11))
        #expect(!state.hasStalled(for: .seconds(2), at: .seconds(12)))
        #expect(state.hasStalled(for: .seconds(2), at: .seconds(13)))
    }

    @Test func `a body that doesn't fit into the shared memory is discarded and its request rejected with 503`() {
        var state = newState { $0.smallBody = 2 }
        let whole = Array("POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 4\r\n\r\nabc".utf8)
        var reserved: [Int] = []
        let first = whole.withUnsafeBytes {
            state.receive($0, at: .zero) { count in
                reserved.append(count)
                return false
            }
        }
        #expect(first == .wait && reserved == [1] && state.isDiscarding && state.request.body.isEmpty)
        #expect([0x64].withUnsafeBytes { state.receive($0, at: .zero) { _ in true } } == .reject(503))
        #expect(!state.closesAfterResponse)
    }

    @Test func `bytes after the last response are discarded up to a limit, and then the connection is closed`() {
        var state = newState()
        let whole = Array("GET / HTTP/1.0\r\n\r\n".utf8)
        #expect(whole.withUnsafeBytes { state.receive($0, at: .zero) { _ in true } } == .handle)
        state.sent(at: .zero)
        #expect(state.responded(at: .seconds(5)) { _ in true } == .finish && !state.isAccepted)
        #expect(state.deadline == .seconds(6) && state.isReceiving)
        let rest = [UInt8](repeating: 0, count: 1 << 19)
        for expected in [ConnectionState.Action.wait, .wait, .close] {
            #expect(rest.withUnsafeBytes { state.receive($0, at: .seconds(5)) { _ in true } } == expected)
        }
    }
}
