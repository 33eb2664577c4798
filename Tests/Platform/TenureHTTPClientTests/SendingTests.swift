import TenureHTTP
import TenureHTTPClient
import TenureHTTPServer
import Testing

struct SendingTests {
    static let requests: [(OutgoingRequest, String)] = [
        (.get("/a?b=c"), "GET /a b=c "),
        (.post("/a", json: Array("{}".utf8)), "POST /a  {}"),
        (.post("/a", json: []), "POST /a  "),
        (OutgoingRequest(method: "POST", url: "/a"), "POST /a  "),
        (OutgoingRequest(method: "PUT", url: "/a", body: Array("x".utf8)), "PUT /a  x"),
        (OutgoingRequest(method: "DELETE", url: "/a"), "DELETE /a  "),
        (OutgoingRequest(method: "GET", url: "/a", body: Array("x".utf8)), "GET /a  x"),
    ]

    @Test(arguments: requests)
    func `the method, path, query and body of a request arrive unchanged`(request: OutgoingRequest, echoed: String)
        async throws
    {
        let transport = try transport()
        try await withServer(echo) { url, _ in
            var request = request
            request.url = url + request.url
            let answer = try await transport.send(request)
            #expect(answer.status == 200)
            #expect(answer.text == echoed)
        }
    }

    @Test func `the response to HEAD has no body`() async throws {
        let transport = try transport()
        try await withServer(echo) { url, _ in
            let answer = try await transport.send(OutgoingRequest(method: "HEAD", url: url))
            #expect(answer.status == 200)
            #expect(answer.body.bytes.isEmpty)
        }
    }

    @Test
    func `header fields, also empty ones, reach the server, and the client adds no Content-Type, Expect or Cookie`()
        async throws
    {
        let fields = Reply { request in
            .text(
                ["A", "Empty", "Content-Type", "Expect", "Cookie"].map { request.headers[$0] ?? "-" }.joined(
                    separator: "|"))
        }
        let transport = try transport()
        try await withServer(fields) { url, _ in
            let answer = try await transport.send(
                OutgoingRequest(method: "POST", url: url, headers: ["A": "b c", "Empty": ""], body: [1]))
            #expect(answer.text == "b c||-|-|-")
        }
    }

    @Test func `a body of a megabyte is sent and received whole`() async throws {
        let back = Reply { Response(status: 200, body: $0.body) }
        let body = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let transport = try transport()
        try await withServer(back) { url, _ in
            let answer = try await transport.send(OutgoingRequest(method: "POST", url: url, body: body))
            #expect(answer.body.bytes == body)
        }
    }

    @Test func `the HTTP client returns a redirect and doesn't follow it`() async throws {
        let moved = Reply { _ in Response(status: 302, headers: ["Location": "/elsewhere"]) }
        let transport = try transport()
        try await withServer(moved) { url, _ in
            let answer = try await transport.send(.get(url))
            #expect(answer.status == 302)
            #expect(answer.headers["location"] == "/elsewhere")
        }
    }

    @Test func `a cookie that a server sets is not sent back`() async throws {
        let cookies = Reply { request in
            Response(
                status: 200, headers: ["Set-Cookie": "a=b; Path=/"], body: Array((request.headers["Cookie"] ?? "").utf8)
            )
        }
        let transport = try transport()
        try await withServer(cookies) { url, _ in
            _ = try await transport.send(.get(url))
            #expect(try await transport.text(of: url).isEmpty)
        }
    }

    @Test func `consecutive requests share a connection`() async throws {
        let transport = try transport()
        try await withServer(echo) { url, server in
            for _ in 0..<20 { _ = try await transport.send(.get(url)) }
            #expect(server.gauges.connectionCount == 1)
        }
    }

    @Test func `200 concurrent requests over at most 8 connections all get their own responses`() async throws {
        let transport = try transport { $0.connectionLimit = 8 }
        try await withServer(echo) { url, _ in
            let answers = try await withThrowingTaskGroup(of: String.self) { group in
                for number in 0..<200 { group.addTask { try await transport.text(of: "\(url)/\(number)") } }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(answers == Set((0..<200).map { "GET /\($0)  " }))
        }
    }

    @Test func `a request over a unix socket ignores the host of its URL`() async throws {
        let path = "/tmp/tenure-client-\(UInt64.random(in: 0 ... .max)).socket"
        let transport = try transport { $0.unixSocket = path }
        try await withServer(echo, listen: .unix(path: path)) { _, _ in
            let answer = try await transport.send(.get("http://nowhere.invalid/a"))
            #expect(answer.text == "GET /a  ")
        }
    }

    @Test func `a request for an unresolvable host succeeds through a proxy`() async throws {
        let anyAnswer = Reply { _ in .text("from the proxy") }
        try await withServer(anyAnswer) { url, _ in
            let transport = try transport { $0.proxy = .url(url) }
            #expect(try await transport.text(of: "http://nowhere.invalid/a") == "from the proxy")
        }
    }
}
