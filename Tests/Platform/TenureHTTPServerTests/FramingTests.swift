import TenureHTTP
import TenureHTTPServer
import Testing

@Suite struct FramingTests {
    static let refused: [String] = [
        "POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc",
        "POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 3\r\ncontent-length: 4\r\n\r\nabcd",
        "POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: identity\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.0\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 3, 3\r\n\r\nabc",
        "POST / HTTP/1.1\r\nHost: t\r\nContent-Length: -1\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: t\r\nContent-Length: +3\r\n\r\nabc",
        "GET / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: t\r\nHost: u\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: t\r\nX-A: a\u{1}b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: t\r\nX-A: a\u{7F}b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: t\r\nX-A : b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: t\r\nX(A): b\r\n\r\n",
        "GET /a\u{1}b HTTP/1.1\r\nHost: t\r\n\r\n",
    ]

    @Test(arguments: refused)
    func `a request whose framing or fields are unclear is refused`(text: String) async throws {
        try await withServer(echo) { server in
            let client = try Client(server.address)
            #expect(await client.ask(text)?.status == 400)
        }
    }

    @Test func `what follows a zero byte in a field never reaches the handler`() async throws {
        try await withServer(Reply { .text($0.headers["X-A"] ?? "none") }) { server in
            let client = try Client(server.address)
            let answer = await client.ask("GET / HTTP/1.1\r\nHost: t\r\nX-A: a\u{0}b\r\n\r\n")
            #expect(answer?.text == "a")
        }
    }

    @Test func `after an unclear end nothing more is read`() async throws {
        try await withServer(echo) { server in
            let client = try Client(server.address)
            await client.send(Self.refused[2] + get("/smuggled"))
            let answer = try #require(await client.receive())
            #expect(answer.status == 400)
            #expect(answer.headers["Connection"] == "close")
            #expect(await client.receive() == nil)
        }
    }

    @Test func `a path that is not UTF-8 is refused`() async throws {
        try await withServer(echo) { server in
            let client = try Client(server.address)
            await client.send(Array("GET /".utf8) + [0xFF] + Array(" HTTP/1.1\r\nHost: t\r\n\r\n".utf8))
            #expect(await client.receive()?.status == 400)
        }
    }

    @Test func `HTTP 1.0 needs no host and gets its answer and the end`() async throws {
        try await withServer(echo) { server in
            let client = try Client(server.address)
            #expect(await client.ask("GET /old HTTP/1.0\r\n\r\n")?.text == "GET /old ")
            #expect(await client.sawEnd())
        }
    }
}
