import TenureHTTP
import TenureHTTPServer
import Testing

@Suite struct AbortTests {
    @Test(arguments: [true, false])
    func `a client that disconnects while its handler runs doesn't affect other clients`(resets: Bool) async throws {
        for _ in 0..<20 {
            let gate = Gate()
            let handler = Reply { request in
                if request.path == "/wait" { await gate.pass() }
                return .text(request.path)
            }
            try await withServer(handler) { server in
                let leaving = try (0..<30).map { _ in try Client(server.address) }
                for client in leaving { await client.send(post("/wait", "body")) }
                await gate.arrivals(30)
                for client in leaving { resets ? client.abort() : client.close() }
                let staying = try Client(server.address)
                #expect(await staying.ask(get("/now"))?.text == "/now")
                gate.open()
                #expect(await eventually { server.gauges.requestsInFlight == 0 })
                #expect(await staying.ask(get("/now"))?.text == "/now")
                #expect(await eventually { server.gauges.connectionCount == 1 })
            }
        }
    }

    @Test func `a server still responds after clients disconnected at any time, under load and short deadlines`()
        async throws
    {
        let handler = Reply { request in
            for _ in 0..<(request.body.count % 7) { await Task.yield() }
            return .text(String(repeating: "y", count: request.body.count))
        }
        try await withServer(handler, { $0.requestDeadline = .milliseconds(20) }) { server in
            await withTaskGroup(of: Void.self) { group in
                for pool in 0..<8 {
                    group.addTask {
                        for round in 0..<150 {
                            guard let client = try? Client(server.address) else { continue }
                            let text = Array(post("/", String(repeating: "x", count: pool * 31 + round)).utf8)
                            await client.send(Array(text.prefix(round % 3 == 0 ? text.count - 1 : text.count)))
                            if round % 4 == 0 { _ = await client.receive() }
                            client.abort()
                        }
                    }
                }
            }
            #expect(await eventually { server.gauges.requestsInFlight == 0 && server.gauges.connectionCount == 0 })
            let client = try Client(server.address)
            #expect(await client.ask(get("/"))?.status == 200)
        }
    }

    @Test func `a server that stops while clients disconnect and handlers finish keeps no request or connection open`()
        async throws
    {
        for _ in 0..<20 {
            let gate = Gate()
            let server = try DrainTests.start(DrainTests.held(gate))
            let clients = try (0..<20).map { _ in try Client(server.address) }
            for client in clients { await client.send(get("/")) }
            await gate.arrivals(20)
            async let stopped = server.stop(within: .milliseconds(1))
            for client in clients.prefix(10) { client.abort() }
            gate.open()
            _ = await stopped
            #expect(server.gauges.requestsInFlight == 0)
            #expect(server.gauges.connectionCount == 0)
        }
    }

    @Test func `a connection whose client disconnects in the middle of a body is closed long before the deadline`()
        async throws
    {
        try await withServer(
            echo,
            {
                $0.requestDeadline = .seconds(3600)
                $0.idleTimeout = .seconds(3600)
            }
        ) { server in
            let head = "POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 4\r\n\r\nabc"
            for _ in 0..<500 {
                let client = try Client(server.address)
                await client.send(head)
                client.close()
            }
            #expect(await eventually { server.gauges.connectionCount == 0 && server.gauges.requestsInFlight == 0 })
        }
    }
}
