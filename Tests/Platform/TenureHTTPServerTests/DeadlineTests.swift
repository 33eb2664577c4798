import Synchronization
import TenureHTTP
import TenureHTTPServer
import Testing

@Suite struct DeadlineTests {
    static func short(_ configuration: inout HTTPServer.Configuration) {
        configuration.requestDeadline = .milliseconds(200)
    }

    @Test func `a client gets 503 when its handler misses the deadline, and the late response is dropped`() async throws
    {
        let gate = Gate()
        let ended = Gate()
        let handler = Reply { request in
            if request.path == "/quick" { return .text("quick") }
            await gate.pass()
            await ended.pass()
            return .text("late")
        }
        ended.open()
        try await withServer(handler, Self.short) { server in
            let client = try Client(server.address)
            let answer = try #require(await client.ask(get("/")))
            #expect(answer.status == 503)
            #expect(answer.text == "{\"503\"}")
            #expect(answer.headers["Retry-After"] == "1")
            gate.open()
            await ended.arrivals(1)
            #expect(await client.ask(get("/quick"))?.text == "quick")
        }
    }

    @Test func `a handler that misses its request's deadline is cancelled`() async throws {
        let cancelled = Gate()
        cancelled.open()
        let handler = Reply { _ in
            try? await Task.sleep(for: .seconds(3600))
            if Task.isCancelled { await cancelled.pass() }
            return .text("late")
        }
        try await withServer(handler, Self.short) { server in
            let client = try Client(server.address)
            #expect(await client.ask(get("/"))?.status == 503)
            await cancelled.arrivals(1)
        }
    }

    @Test(arguments: [
        "GET /", "GET / HTTP/1.1\r\nHost: t\r\nX: ", "POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 500\r\n\r\n",
    ])
    func `a request that arrives slowly is cut off at the deadline`(start: String) async throws {
        let count = Atomic(0)
        let handler = Reply { _ in
            count.add(1, ordering: .relaxed)
            return .text("")
        }
        try await withServer(handler, Self.short) { server in
            let client = try Client(server.address)
            await client.send(start)
            let trickle = Task {
                // A byte every 20 ms keeps the connection from being idle. Sending fails once the server has closed it.
                while await client.send("x") { try await Task.sleep(for: .milliseconds(20)) }
            }
            #expect(await client.sawEnd())
            trickle.cancel()
            #expect(count.load(ordering: .relaxed) == 0)
            #expect(await eventually { server.gauges.requestsInFlight == 0 })
        }
    }

    @Test func `an incomplete second request on a connection is cut off`() async throws {
        try await withServer(
            echo,
            {
                $0.requestDeadline = .milliseconds(200)
                // Longer than the client waits for the end of the connection.
                $0.idleTimeout = .seconds(60)
            }
        ) { server in
            let client = try Client(server.address)
            #expect(await client.ask(get("/1"))?.status == 200)
            await client.send("GET /2 HTTP/1.1\r\n")
            #expect(await client.sawEnd())
        }
    }

    @Test func `an idle connection is closed after the idle timeout`() async throws {
        try await withServer(echo, { $0.idleTimeout = .seconds(1) }) { server in
            let client = try Client(server.address)
            #expect(await client.ask(get("/"))?.status == 200)
            #expect(await client.sawEnd())
            #expect(await eventually { server.gauges.connectionCount == 0 })
        }
    }

    @Test func `the idle timeout doesn't close a connection that waits for its handler`() async throws {
        let handler = Reply { _ in
            // The wait is longer than the idle timeout, which must not apply while a handler runs.
            try? await Task.sleep(for: .milliseconds(2500))
            return .text("done")
        }
        try await withServer(handler, { $0.idleTimeout = .seconds(1) }) { server in
            let client = try Client(server.address)
            #expect(await client.ask(get("/"))?.text == "done")
        }
    }
}
