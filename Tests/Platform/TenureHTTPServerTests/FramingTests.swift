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
        "GET /a\u{0}b HTTP/1.1\r\nHost: t\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: t\r\nX-A: a\u{0}b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: t\r\nX-A: a\r\n b\r\n\r\n",
        "GET / HTTP/1.1\nHost: t\n\n",
        "GET / HTTP/1.1\r\nHost: t\rX-A: a\r\n\r\n",
        "\r\n\r\nGET / HTTP/1.1\r\nHost: t\r\n\r\n", "\nGET / HTTP/1.1\r\nHost: t\r\n\r\n",
        "\rGET / HTTP/1.1\r\nHost: t\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 3 \r\n\r\nabc",
        "POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 9999999999999999999\r\n\r\nabc",
        "GET / \r\nHost: t\r\n\r\n",
    ]

    @Test(arguments: refused)
    func `a malformed request or one with ambiguous framing is refused with 400`(text: String) async throws {
        try await withServer(echo) { server in
            let client = try Client(server.address)
            #expect(await client.ask(text)?.status == 400)
        }
    }

    @Test(arguments: refused)
    func `a malformed or ambiguous request after a valid one gets 400, and the connection is closed`(text: String)
        async throws
    {
        try await withServer(echo) { server in
            let client = try Client(server.address)
            await client.send(get("/good") + text + get("/smuggled"))
            #expect(await client.receive()?.text == "GET /good ")
            let answer = try #require(await client.receive())
            #expect(answer.status == 400)
            #expect(answer.headers["Connection"] == "close")
            #expect(await client.sawEnd())
        }
    }

    @Test(arguments: [
        "a b", "a/b", "http://a", "a@b", "a:b", "[1.2.3.4]", "[::1", "[::1]x", "a%zz", "\u{e9}.example", "a\u{301}:80",
    ]) func `an invalid Host field is refused with 400`(host: String) async throws {
        try await withServer(echo) { server in
            let client = try Client(server.address)
            #expect(await client.ask("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n")?.status == 400)
            // The connection stays open, because the end of the refused request is certain.
            #expect(await client.ask(get("/"))?.status == 200)
        }
    }

    @Test(arguments: ["", "t", "t:80", "t:", "[::1]", "[::1]:8080", "a_b.example", "a%20b", "127.0.0.1:1"])
    func `a valid Host field is accepted`(host: String) async throws {
        try await withServer(echo) { server in
            let client = try Client(server.address)
            #expect(await client.ask("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n")?.status == 200)
        }
    }

    @Test(arguments: [
        ("http://u.example/a?b", "/a", "b", "u.example"), ("HTTPS://u.example:8443", "/", "", "u.example:8443"),
        ("http://u.example?b=http://c/d", "/", "b=http://c/d", "u.example"), ("/http://a/b", "/http://a/b", "", "t"),
    ]) func `an absolute URL is served as its path, and its host replaces the Host field`(
        target: String, path: String, query: String, host: String
    ) async throws {
        let handler = Reply { request in .text("\(request.path) \(request.query) \(request.headers.values("Host"))") }
        try await withServer(handler) { server in
            let client = try Client(server.address)
            let answer = await client.ask("GET \(target) HTTP/1.1\r\nHost: t\r\n\r\n")
            #expect(answer?.text == "\(path) \(query) [\"\(host)\"]")
        }
    }

    @Test(arguments: ["http://", "http://user@u.example/", "http:///a", "http://a:b/"])
    func `an absolute URL with an invalid authority is refused with 400`(target: String) async throws {
        try await withServer(echo) { server in
            let client = try Client(server.address)
            let status = await client.ask("GET \(target) HTTP/1.1\r\nHost: t\r\n\r\n")?.status
            #expect(status == 400)
        }
    }

    @Test func `one empty line before a request is skipped`() async throws {
        try await withServer(echo) { server in
            let client = try Client(server.address)
            #expect(await client.ask("\r\n" + get("/first"))?.text == "GET /first ")
            // Some clients send a line end after the body that Content-Length doesn't count.
            #expect(await client.ask(post("/second", "abc") + "\r\n")?.text == "POST /second abc")
            #expect(await client.ask(get("/third"))?.text == "GET /third ")
            await client.send(post("/fourth", "abc") + "\r\n" + get("/fifth"))
            #expect(await client.receive()?.text == "POST /fourth abc")
            #expect(await client.receive()?.text == "GET /fifth ")
        }
    }

    @Test func `a request that arrives byte by byte is served`() async throws {
        try await withServer(echo) { server in
            let client = try Client(server.address)
            for round in 0..<3 {
                for byte in post("/\(round)", "abc").utf8 { await client.send([byte]) }
                #expect(await client.receive()?.text == "POST /\(round) abc")
            }
        }
    }

    @Test func `requests of different sizes are served however their bytes are split`() async throws {
        try await withServer(echo) { server in
            let client = try Client(server.address)
            let long = String(repeating: "x", count: 15_000)
            let sent = (0..<8).map { number in
                post(
                    "/\(number)", String(repeating: "y", count: number * 3000), "X-Long: \(number % 2 == 0 ? long : "")"
                )
            }
            async let isSent: Void = {
                var rest = Array(sent.joined().utf8)[...]
                var size = 1
                while !rest.isEmpty {
                    await client.send(Array(rest.prefix(size)))
                    rest = rest.dropFirst(size)
                    size = size % 20_000 * 3 + 1
                }
            }()
            for number in 0..<8 {
                #expect(
                    await client.receive()?.text == "POST /\(number) " + String(repeating: "y", count: number * 3000))
            }
            await isSent
        }
    }

    @Test func `bytes after a chunked body aren't read as a request`() async throws {
        try await withServer(echo) { server in
            let client = try Client(server.address)
            let head = "POST / HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n"
            await client.send(head + "3\r\nabc\r\n0\r\n\r\n" + get("/smuggled"))
            let answer = try #require(await client.receive())
            #expect(answer.text == "POST / abc")
            #expect(answer.headers["Connection"] == "close")
            #expect(await client.sawEnd())
        }
    }

    @Test func `a connection is closed after a request with an ambiguous end`() async throws {
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

    @Test func `an HTTP/1.0 request needs no Host field, and its connection is closed after the response`() async throws
    {
        try await withServer(echo) { server in
            let client = try Client(server.address)
            #expect(await client.ask("GET /old HTTP/1.0\r\n\r\n")?.text == "GET /old ")
            #expect(await client.sawEnd())
        }
    }
}
