import TenureHTTP
import TenureHTTPServer
import Testing

@Suite struct FairnessTests {
    @Test func `a client that pipelines 1,000 requests delays another client's request by fewer than 50 of them`()
        async throws
    {
        let handler = Blocking()
        try await withServer(handler, { $0.threads = 1 }) { server in
            let ahead = try Client(server.address)
            await ahead.send(get("/first"))
            #expect(await eventually { handler.paths == ["/first"] })
            await ahead.send(String(repeating: get("/ahead"), count: 1000))
            let other = try Client(server.address)
            await other.send(get("/other"))
            handler.open()
            #expect(await other.receive()?.text == "/other")
            let index = try #require(handler.paths.firstIndex(of: "/other"))
            #expect(index < 50)
            for _ in 0..<1001 { #expect(await ahead.receive()?.status == 200) }
        }
    }

    @Test func `the connection that was idle longest is closed to make room for a new client`() async throws {
        try await withServer(
            echo,
            {
                $0.threads = 1
                $0.connectionLimit = 4
            }
        ) { server in
            let idle = try (0..<4).map { _ in try Client(server.address) }
            #expect(await eventually { server.gauges.connectionCount == 4 })
            for _ in 0..<3 {
                let client = try Client(server.address)
                #expect(await client.ask(get("/"))?.status == 200)
            }
            // The connection that was idle longest is closed first.
            #expect(await idle[0].sawEnd())
            #expect(server.gauges.connectionCount <= 4)
        }
    }

    @Test func `clients that never send the end of a request don't keep new clients out`() async throws {
        try await withServer(
            echo,
            {
                $0.threads = 1
                $0.connectionLimit = 4
                $0.receivingGrace = .zero
            }
        ) { server in
            let unfinished = try (0..<4).map { _ in try Client(server.address) }
            for (client, beginning) in zip(
                unfinished,
                [
                    "GET /", "GET / HTTP/1.1\r\nHost: t\r\n",
                    "POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 9\r\n\r\na",
                    "POST / HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n9\r\na",
                ])
            { await client.send(beginning) }
            for _ in 0..<8 {
                let client = try Client(server.address)
                #expect(await client.ask(get("/"))?.status == 200)
            }
            #expect(server.gauges.connectionCount <= 4)
        }
    }

    @Test func `a connection whose request is in progress isn't closed to make room for a new one`() async throws {
        let gate = Gate()
        let handler = Reply { _ in
            await gate.pass()
            return .text("done")
        }
        try await withServer(
            handler,
            {
                $0.threads = 1
                $0.connectionLimit = 2
            }
        ) { server in
            let busy = [try Client(server.address), try Client(server.address)]
            for client in busy { await client.send(get("/")) }
            await gate.arrivals(2)
            let waiting = try Client(server.address)
            await waiting.send(get("/"))
            gate.open()
            for client in busy { #expect(await client.receive()?.text == "done") }
            #expect(await waiting.receive()?.text == "done")
        }
    }
}
