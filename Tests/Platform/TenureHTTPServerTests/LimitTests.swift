import Synchronization
import TenureHTTP
import TenureHTTPServer
import Testing

@Suite struct LimitTests {
    static func limit(_ configuration: inout HTTPServer.Configuration) {
        configuration.bodyLimit = 1000
        configuration.discardLimit = 5000
        configuration.headerLimit = 4096
    }

    @Test(arguments: [(1000, 200), (1001, 413), (6000, 413)])
    func `a body that exceeds its limit by at most the discard limit gets 413, and the connection stays open`(
        size: Int, status: Int
    ) async throws {
        try await withServer(echo, Self.limit) { server in
            let client = try Client(server.address)
            let answer = try #require(await client.ask(post("/", String(repeating: "x", count: size))))
            #expect(answer.status == status)
            if status == 413 { #expect(answer.text == "{\"413\"}") }
            #expect(await client.ask(get("/"))?.status == 200)
        }
    }

    @Test func `a body announced to exceed its limit by more than the discard limit is refused before it is read`()
        async throws
    {
        try await withServer(echo, Self.limit) { server in
            let client = try Client(server.address)
            await client.send("POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 6001\r\n\r\n")
            let answer = try #require(await client.receive())
            #expect(answer.status == 413)
            #expect(answer.headers["Connection"] == "close")
            #expect(await client.sawEnd())
        }
    }

    @Test func `a client that expects 100-continue is refused before it sends a body over the limit`() async throws {
        try await withServer(echo, Self.limit) { server in
            let client = try Client(server.address)
            let fields = "Host: t\r\nExpect: 100-continue\r\nContent-Length:"
            await client.send("POST / HTTP/1.1\r\n\(fields) 1001\r\n\r\n")
            #expect(await client.receive()?.status == 413)
            let other = try Client(server.address)
            await other.send("POST / HTTP/1.1\r\n\(fields) 3\r\n\r\n")
            #expect(await other.receive()?.status == 100)
            #expect(await other.ask("abc")?.text == "POST / abc")
        }
    }

    @Test func `a chunked body over the limit is refused, and an endless one is cut off`() async throws {
        try await withServer(echo, Self.limit) { server in
            let head = "POST / HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n"
            let chunk = "400\r\n" + String(repeating: "x", count: 1024) + "\r\n"
            let client = try Client(server.address)
            #expect(await client.ask(head + chunk + "0\r\n\r\n")?.status == 413)
            let endless = try Client(server.address)
            await endless.send(head + String(repeating: chunk, count: 7))
            #expect(await endless.sawEnd())
        }
    }

    @Test(arguments: [(3900, 200), (4200, 431)])
    func `header fields over the limit are refused`(size: Int, status: Int) async throws {
        try await withServer(echo, Self.limit) { server in
            let client = try Client(server.address)
            let answer = try #require(await client.ask(get("/", "X-Long: " + String(repeating: "x", count: size))))
            #expect(answer.status == status)
            if status == 431 { #expect(answer.text == "{\"431\"}") }
        }
    }

    @Test func `endless header fields or request lines are refused or cut off`() async throws {
        try await withServer(echo, Self.limit) { server in
            for start in ["GET / HTTP/1.1\r\nHost: t\r\nX: ", "GET /"] {
                let client = try Client(server.address)
                await client.send(start + String(repeating: "x", count: 100_000))
                let status = await client.receive()?.status
                // The parser may close before it has read everything; a TCP reset then loses the response.
                #expect(status == nil || (400...499).contains(status ?? 0))
            }
        }
    }

    @Test func `a request over the limit on requests in flight gets 503, and a later one is served`() async throws {
        let gate = Gate()
        let handler = Reply { _ in
            await gate.pass()
            return .text("done")
        }
        try await withServer(handler, { $0.requestsInFlight = 2 }) { server in
            let waiting = [try Client(server.address), try Client(server.address)]
            for client in waiting { await client.send(post("/", "body")) }
            await gate.arrivals(2)
            let extra = try Client(server.address)
            let answer = try #require(await extra.ask(post("/", "body")))
            #expect(answer.status == 503)
            #expect(answer.headers["Retry-After"] == "1")
            #expect(answer.text == "{\"503\"}")
            gate.open()
            for client in waiting { #expect(await client.receive()?.text == "done") }
            #expect(await eventually { server.gauges.requestsInFlight == 0 })
            #expect(await extra.ask(get("/"))?.text == "done")
        }
    }

    @Test func `reads are still served while requests that change data use up their own limit`() async throws {
        let gate = Gate()
        let handler = Changes(gate: gate)
        try await withServer(
            handler,
            {
                $0.requestsInFlight = 4
                $0.changesInFlight = 2
            }
        ) { server in
            let changes = [try Client(server.address), try Client(server.address)]
            for client in changes { await client.send(post("/change", "")) }
            await gate.arrivals(2)
            for _ in 0..<20 {
                let extra = try Client(server.address)
                #expect(await extra.ask(post("/change", ""))?.status == 503)
            }
            // These reads wait at the gate and occupy the slots that changes can't use.
            let reads = [try Client(server.address), try Client(server.address)]
            for client in reads { await client.send(get("/read")) }
            await gate.arrivals(4)
            let extra = try Client(server.address)
            #expect(await extra.ask(get("/read"))?.status == 503)
            #expect(await extra.ask(get("/in-place"))?.text == "in place")
            gate.open()
            for client in changes + reads { #expect(await client.receive()?.text == "done") }
            #expect(await eventually { server.gauges.requestsInFlight == 0 })
            #expect(await extra.ask(post("/change", ""))?.text == "done")
        }
    }

    /// A handler whose changes and reads wait at a gate, except for one path whose response is immediate.
    private struct Changes: Handler {
        let gate: Gate

        func handle(_ request: Request) -> HandlerResult {
            if request.path == "/in-place" { return .response(.text("in place")) }
            return .pending(isChange: request.method == "POST") {
                await gate.pass()
                return .text("done")
            }
        }
    }

    @Test func `the function that formats rejections receives the method and path of the request`() async throws {
        let received = Mutex<[String]>([])
        var configuration = HTTPServer.Configuration(listen: .tcp(host: "127.0.0.1", port: 0))
        configuration.bodyLimit = 1000
        let server = try HTTPServer.start(configuration, handler: echo) { rejection in
            let request = rejection.request
            let line = "\(rejection.status) \(request.method) \(request.path) \(request.query) \(request.id.count)"
            received.withLock { $0.append(line) }
            return shaped(rejection)
        }
        let client = try Client(server.address)
        #expect(await client.ask(post("/a/b?c", String(repeating: "x", count: 1001)))?.status == 413)
        #expect(await client.ask("GET /d HTTP/1.1\r\n\r\n")?.status == 400)
        #expect(received.withLock { $0 } == ["413 POST /a/b c 13", "400 GET /d  13"])
        await server.stop(within: .zero)
    }

    @Test func `clients that send their requests slowly don't use up the limit on requests in flight`() async throws {
        try await withServer(echo, { $0.requestsInFlight = 1 }) { server in
            let slow = try (0..<5).map { _ in try Client(server.address) }
            for client in slow { await client.send("POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 4\r\n\r\nabc") }
            #expect(await eventually { server.gauges.requestsInFlight == 5 })
            let quick = try Client(server.address)
            #expect(await quick.ask(get("/q"))?.status == 200)
            // A client reads its response before the server counts the request as finished. Without this wait, the next
            // request exceeds the limit.
            for (number, client) in slow.enumerated() {
                #expect(await eventually { server.gauges.requestsInFlight == slow.count - number })
                #expect(await client.ask("d")?.text == "POST / abcd")
            }
        }
    }

    @Test func `a small body is accepted while incomplete bodies exceed the memory limit`() async throws {
        try await withServer(echo, { $0.bodyMemory = 1 << 20 }) { server in
            let body = String(repeating: "x", count: 1_000_000)
            let slow = try (0..<3).map { _ in try Client(server.address) }
            for client in slow { await client.send(String(post("/", body).dropLast())) }
            // A request whose body doesn't fit is rejected only after its last byte, so all three are in flight.
            #expect(await eventually { server.gauges.requestsInFlight == 3 })
            let quick = try Client(server.address)
            let small = post("/q", String(repeating: "y", count: 16_000))
            for _ in 0..<20 { #expect(await quick.ask(small)?.status == 200) }
        }
    }

    @Test func `a client that never reads its response doesn't block other clients`() async throws {
        // The body is several times as large as the system's buffers for a socket.
        let long = [UInt8](repeating: 0x61, count: 16 << 20)
        let handler = Reply { request in
            request.path == "/long" ? Response(status: 200, body: long) : .text("short")
        }
        try await withServer(
            handler,
            {
                $0.requestsInFlight = 3
                $0.answerMemory = 56 << 20
            }
        ) { server in
            let deaf = try (0..<3).map { _ in try Client(server.address) }
            for client in deaf {
                await client.send(get("/long"))
                // The head shows that the response is being sent and has its share of the memory.
                #expect(await client.receive(toHead: true)?.status == 200)
            }
            let quick = try Client(server.address)
            // The three long responses use up the memory limit. Short responses always fit.
            var status = await quick.ask(get("/long"))?.status
            while status == 200 { status = await quick.ask(get("/long"))?.status }
            #expect(status == 503)
            for _ in 0..<20 { #expect(await quick.ask(get("/"))?.text == "short") }
            for client in deaf { client.abort() }
            while status == 503 { status = await quick.ask(get("/long"))?.status }
            #expect(status == 200)
        }
    }

    @Test func `bodies share a memory limit, and a finished request returns its share`() async throws {
        try await withServer(
            echo,
            {
                $0.bodyMemory = 1000
                $0.smallBody = 0
            }
        ) { server in
            let first = try Client(server.address)
            await first.send(
                "POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 901\r\n\r\n" + String(repeating: "x", count: 900))
            #expect(await eventually { server.gauges.requestsInFlight == 1 })
            let second = try Client(server.address)
            let body = String(repeating: "y", count: 200)
            // The gauge counts a request from its head on, so the first body may still be arriving.
            var status = await second.ask(post("/", body))?.status
            while status == 200 { status = await second.ask(post("/", body))?.status }
            #expect(status == 503)
            #expect(await first.ask("x")?.status == 200)
            #expect(await second.ask(post("/", body))?.status == 200)
        }
    }
}
