import TenureHTTP
import TenureHTTPServer
import Testing

/// Heads that the library would answer in words of its own.
@Suite struct HeadTests {
    static let bad: [(String, Int)] = [
        ("POST / HTTP/1.1\r\nHost: t\r\nContent-Length: x\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 99999999999999999999\r\n\r\n", 413),
        ("GET / HTTP/9.9\r\nHost: t\r\n\r\n", 505), ("GET / HTTP/1.1\r\nHost: t\r\nA: b\r\n c\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: t\r\nA: " + String(repeating: "x", count: 300_000) + "\r\n\r\n", 431),
        ("GET /" + String(repeating: "x", count: 300_000) + " HTTP/1.1\r\n\r\n", 431),
        ("GET / HTTP/1.1\r\nHost: t\r\n" + String(repeating: "A: b\r\n", count: 2000) + "\r\n", 431),
        ("hello\r\n\r\n", 400),
    ]

    /// Everything that comes until the server hangs up.
    private func heads(after text: String) async throws -> [Answer] {
        try await withServer(echo) { server in
            let client = try Client(server.address)
            await client.send(text)
            var all: [Answer] = []
            while let answer = await client.receive() { all.append(answer) }
            return all
        }
    }

    @Test(arguments: bad) func `one head answers, in the words of whoever shapes rejections`(text: String, status: Int)
        async throws
    {
        let answers = try await heads(after: text)
        #expect(answers.map(\.status) == [status])
        #expect(answers.first?.text == "{\"\(status)\"}")
        #expect(answers.first?.headers["Connection"] == "close")
    }

    @Test(arguments: bad) func `requests before it are answered first, nothing behind it`(text: String, status: Int)
        async throws
    {
        let answers = try await heads(after: post("/1", "abc") + get("/2") + text + get("/3"))
        #expect(answers.map(\.status) == [200, 200, status])
        #expect(answers.first?.text == "POST /1 abc")
    }

    @Test(arguments: bad) func `it is found when it comes in parts, and behind an answer that takes long`(
        text: String, status: Int
    ) async throws {
        let gate = Gate()
        let slow = Reply { _ in
            await gate.pass()
            return .text("done")
        }
        try await withServer(slow) { server in
            let client = try Client(server.address)
            await client.send(get("/"))
            await gate.arrivals(1)
            let half = text.index(text.startIndex, offsetBy: 7)
            await client.send(String(text[..<half]))
            await client.send(String(text[half...]))
            gate.open()
            #expect(await client.receive()?.text == "done")
            #expect(await client.receive()?.status == status)
            #expect(await client.receive() == nil)
        }
    }

    @Test func `a connection that is to end is not answered twice`() async throws {
        let answers = try await heads(after: get("/", "Connection: close") + "nonsense\r\n\r\n")
        #expect(answers.map(\.status) == [200])
    }
}
