import Glibc
import TenureHTTP
import TenureHTTPServer
import Testing

@Suite struct DrainTests {
    static func held(_ gate: Gate) -> Reply {
        Reply { _ in
            await gate.pass()
            return .text("done")
        }
    }

    static func start(_ handler: some Handler) throws -> HTTPServer {
        try HTTPServer.start(.init(listen: .tcp(host: "127.0.0.1", port: 0)), handler: handler, rejection: shaped)
    }

    static func isRefused(_ address: HTTPServer.Address) -> Bool {
        do {
            _ = try Client(address)
            return false
        } catch { return true }
    }

    @Test func `a draining server finishes a suspended request and accepts no more connections`() async throws {
        let gate = Gate()
        let server = try Self.start(Self.held(gate))
        let client = try Client(server.address)
        await client.send(post("/", "body"))
        await gate.arrivals(1)
        let stopping = Task { await server.stop(within: .seconds(60)) }
        #expect(await eventually { Self.isRefused(server.address) })
        gate.open()
        let answer = try #require(await client.receive())
        #expect(answer.status == 200)
        #expect(answer.text == "done")
        #expect(answer.headers["Connection"] == "close")
        #expect(await client.sawEnd())
        #expect(await stopping.value)
    }

    @Test func `remaining requests get 503 at the end of the drain`() async throws {
        let gate = Gate()
        let server = try Self.start(Self.held(gate))
        let clients = try (0..<20).map { _ in try Client(server.address) }
        for client in clients { await client.send(get("/")) }
        await gate.arrivals(20)
        #expect(await server.stop(within: .milliseconds(50)) == false)
        for client in clients {
            #expect(await client.receive()?.status == 503)
            #expect(await client.sawEnd())
        }
        gate.open()
    }

    @Test func `a request that is never sent completely doesn't delay the stop of the server`() async throws {
        var configuration = HTTPServer.Configuration(listen: .tcp(host: "127.0.0.1", port: 0))
        configuration.sendingGrace = .milliseconds(50)
        let gate = Gate()
        let server = try HTTPServer.start(configuration, handler: Self.held(gate), rejection: shaped)
        let whole = try Client(server.address)
        await whole.send(get("/"))
        await gate.arrivals(1)
        let half = try Client(server.address)
        await half.send("POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 4\r\n\r\nabc")
        #expect(await eventually { server.gauges.requestsInFlight == 2 })
        let stopping = Task { await server.stop(within: .seconds(60)) }
        #expect(await half.sawEnd())
        gate.open()
        #expect(await whole.receive()?.text == "done")
        #expect(await stopping.value)
    }

    @Test func `a client that never reads its response doesn't delay the stop of the server`() async throws {
        // The body is several times as large as the system's buffers for a socket.
        let long = Response(status: 200, body: [UInt8](repeating: 0x61, count: 16 << 20))
        var configuration = HTTPServer.Configuration(listen: .tcp(host: "127.0.0.1", port: 0))
        configuration.sendingGrace = .milliseconds(50)
        let server = try HTTPServer.start(configuration, handler: Reply { _ in long }, rejection: shaped)
        let client = try Client(server.address)
        await client.send(get("/"))
        #expect(await client.receive(toHead: true)?.status == 200)
        #expect(await server.stop(within: .seconds(3600)))
        #expect(server.gauges.connectionCount == 0)
    }

    @Test func `a request on a connection that wasn't accepted before the stop gets its response`() async throws {
        try await withTemporaryFolder { folder in
            let handler = Blocking()
            var configuration = HTTPServer.Configuration(listen: .unix(path: folder + "/s"))
            configuration.threads = 1
            let server = try HTTPServer.start(configuration, handler: handler, rejection: shaped)
            let first = try Client(server.address)
            await first.send(get("/first"))
            #expect(await eventually { handler.paths == ["/first"] })
            // The only event thread is busy, so the connection waits in the system's queue.
            let second = try Client(server.address)
            await second.send(get("/second"))
            let stopping = Task { await server.stop(within: .seconds(60)) }
            #expect(await eventually { access(folder + "/s", F_OK) != 0 })
            handler.open()
            #expect(await first.receive()?.text == "/first")
            #expect(await second.receive()?.text == "/second")
            #expect(await stopping.value)
        }
    }

    @Test func `a second call of stop can shorten the drain, and both calls return false at the drain's end`()
        async throws
    {
        let gate = Gate()
        let server = try Self.start(Self.held(gate))
        let client = try Client(server.address)
        await client.send(get("/"))
        await gate.arrivals(1)
        let first = Task { await server.stop(within: .seconds(3600)) }
        #expect(await eventually { Self.isRefused(server.address) })
        #expect(await server.stop(within: .zero) == false)
        #expect(await first.value == false)
        #expect(await server.stop(within: .zero) == false)
        gate.open()
    }

    @Test func `a server without requests stops before its drain time ends, and closes its idle connections`()
        async throws
    {
        let server = try Self.start(echo)
        let client = try Client(server.address)
        #expect(await client.ask(get("/"))?.status == 200)
        #expect(await server.stop(within: .seconds(3600)))
        #expect(await client.sawEnd())
        #expect(server.gauges.connectionCount == 0)
    }

    @Test func `a port can be used again as soon as its server has stopped`() async throws {
        let first = try Self.start(echo)
        let client = try Client(first.address)
        #expect(await client.ask(get("/"))?.status == 200)
        await first.stop(within: .seconds(10))
        let second = try HTTPServer.start(.init(listen: first.address), handler: echo)
        #expect(second.address == first.address)
        let other = try Client(second.address)
        #expect(await other.ask(get("/"))?.status == 200)
        await second.stop(within: .seconds(10))
    }

    @Test func `clients of a server that stops under load get only complete responses or a 503`() async throws {
        let handler = Reply { request in
            await Task.yield()
            return .text(request.path)
        }
        for _ in 0..<10 {
            let server = try Self.start(handler)
            let clients = try (0..<8).map { _ in try Client(server.address) }
            let load = Task {
                await withTaskGroup(of: Void.self) { group in
                    for client in clients {
                        group.addTask {
                            while let answer = await client.ask(get("/x")) {
                                // A request that arrives after all other requests have ended gets a 503.
                                #expect(answer.status == 200 && answer.text == "/x" || answer.status == 503)
                            }
                        }
                    }
                }
            }
            #expect(await eventually { server.gauges.connectionCount == 8 })
            #expect(await server.stop(within: .seconds(30)))
            await load.value
            #expect(server.gauges.requestsInFlight == 0)
        }
    }
}
