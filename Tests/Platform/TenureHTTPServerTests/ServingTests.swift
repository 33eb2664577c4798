import TenureHTTP
import TenureHTTPServer
import Testing

@Suite struct ServingTests {
    @Test func `a handler receives the path, query, fields and body of a request, and the client its response`()
        async throws
    {
        let handler = Reply { request in
            Response(
                status: 201,
                headers: ["X-Path": request.path, "X-Query": request.query, "X-Seen": request.headers["x-mine"] ?? ""],
                body: request.body)
        }
        try await withServer(handler) { server in
            let client = try Client(server.address)
            let answer = try #require(await client.ask(post("/a%2Fb?x=1&y=%20&y", "hello", "X-Mine:  two words ")))
            #expect(answer.status == 201)
            #expect(answer.text == "hello")
            #expect(answer.headers["X-Path"] == "/a%2Fb")
            #expect(answer.headers["X-Query"] == "x=1&y=%20&y")
            #expect(answer.headers["X-Seen"] == "two words")
            #expect(answer.headers.values("Content-Length") == ["5"])
            #expect(answer.headers.values("Date").count == 1)
        }
    }

    @Test func `one connection serves 200 requests, with and without suspended handlers`() async throws {
        let handler = Reply { request in
            if request.path == "/later" { await Task.yield() }
            return .text(request.path + String(decoding: request.body, as: UTF8.self))
        }
        try await withServer(handler) { server in
            let client = try Client(server.address)
            for round in 0..<200 {
                let path = round % 2 == 0 ? "/later" : "/now"
                #expect(await client.ask(post(path, " \(round)"))?.text == "\(path) \(round)")
            }
        }
    }

    @Test func `pipelined requests get their responses in order`() async throws {
        let handler = Reply { request in
            if request.path == "/1" { await Task.yield() }
            return .text(request.path)
        }
        try await withServer(handler) { server in
            let client = try Client(server.address)
            await client.send(get("/1") + get("/2") + get("/3"))
            for path in ["/1", "/2", "/3"] { #expect(await client.receive()?.text == path) }
        }
    }

    @Test func `a response to HEAD has no body and the same Content-Length as the response to GET`() async throws {
        try await withServer(Reply { _ in .text("12345") }) { server in
            let client = try Client(server.address)
            await client.send("HEAD / HTTP/1.1\r\nHost: test\r\n\r\n")
            let head = try #require(await client.receive(toHead: true))
            #expect(head.headers["Content-Length"] == "5")
            #expect(await client.ask(get("/"))?.text == "12345")
        }
    }

    @Test func `every request has its own id, whatever the client sends`() async throws {
        try await withServer(Reply { .text($0.id) }) { server in
            var ids: Set<String> = []
            for _ in 0..<4 {
                let client = try Client(server.address)
                for _ in 0..<25 {
                    let answer = try #require(await client.ask(get("/", "X-Request-Id: mine")))
                    #expect(answer.text.utf8.count == 13)
                    #expect(answer.text.utf8.allSatisfy { "0123456789abcdefghijklmnopqrstuv".utf8.contains($0) })
                    ids.insert(answer.text)
                }
            }
            #expect(ids.count == 100)
        }
    }

    @Test func `a chunked body arrives whole`() async throws {
        try await withServer(echo) { server in
            let client = try Client(server.address)
            await client.send("POST /c HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n")
            await client.send("3\r\nabc\r\n")
            await client.send("2\r\nde\r\n0\r\n\r\n")
            #expect(await client.receive()?.text == "POST /c abcde")
        }
    }

    @Test func `a large response arrives whole`() async throws {
        let large = [UInt8](repeating: 7, count: 3_000_001)
        try await withServer(Reply { _ in Response(status: 200, body: large) }) { server in
            let client = try Client(server.address)
            #expect(await client.ask(get("/"))?.body == large)
        }
    }

    @Test(arguments: [
        Response(status: 200, headers: ["X-A": "1\r\nX-B: 2"]), Response(status: 200, headers: ["X-A": "1\u{0}2"]),
        Response(status: 200, headers: ["X A": "1"]), Response(status: 99), Response(status: 600),
    ])
    func `an invalid response of a handler is replaced by a 500`(response: Response) async throws {
        try await withServer(Reply { _ in response }) { server in
            let answer = try #require(await Client(server.address).ask(get("/")))
            #expect(answer.status == 500)
            #expect(answer.text == "{\"500\"}")
            #expect(answer.headers["X-B"] == nil)
        }
    }

    @Test func `a handler can't set the fields Content-Length, Date and Connection of its response`() async throws {
        let headers: Headers = ["content-length": "9", "Date": "never", "Connection": "close", "X-Mine": "yes"]
        try await withServer(Reply { _ in Response(status: 200, headers: headers, body: [65]) }) { server in
            let client = try Client(server.address)
            let answer = try #require(await client.ask(get("/")))
            #expect(answer.headers.values("Content-Length") == ["1"])
            #expect(answer.headers.values("Date") != ["never"])
            #expect(answer.headers["X-Mine"] == "yes")
            #expect(await client.ask(get("/"))?.status == 200)
        }
    }

    @Test func `the server's gauges count open connections and requests in flight`() async throws {
        let gate = Gate()
        try await withServer(
            Reply { _ in
                await gate.pass()
                return .text("")
            }
        ) { server in
            let clients = [try Client(server.address), try Client(server.address)]
            await clients[0].send(get("/"))
            await gate.arrivals(1)
            #expect(await eventually { server.gauges.connectionCount == 2 })
            #expect(server.gauges.requestsInFlight == 1)
            gate.open()
            #expect(await clients[0].receive()?.status == 200)
            for client in clients { client.close() }
            #expect(await eventually { server.gauges.connectionCount == 0 && server.gauges.requestsInFlight == 0 })
        }
    }
}
