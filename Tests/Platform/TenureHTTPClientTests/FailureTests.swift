import TenureHTTP
import TenureHTTPClient
import TenureHTTPServer
import Testing

struct FailureTests {
    private func code(
        of request: OutgoingRequest, _ adjust: (inout TransportOptions) -> Void = { _ in }
    ) async throws -> TransportError.Code? {
        let transport = try transport(adjust)
        return await transport.failure(of: request)?.code
    }

    @Test func `a request to a server that can't be reached fails with a connection error`() async throws {
        let url = try await withServer(echo) { url, _ in url }
        #expect(try await code(of: .get(url)) == .couldNotConnect)
        #expect(try await code(of: .get("http://nowhere.invalid/")) == .couldNotConnect)
        #expect(try await code(of: .get("http://host/")) { $0.unixSocket = "/nowhere/socket" } == .couldNotConnect)
    }

    @Test func `an error message names the server, and omits query and body`() async throws {
        let url = try await withServer(echo) { url, _ in url }
        let transport = try transport()
        let error = await transport.failure(of: .post("\(url)/path?token=hidden", json: Array("hidden".utf8)))
        #expect(error?.message.contains(url) == true)
        #expect(error?.message.contains("hidden") == false)
    }

    @Test func `a request whose response doesn't arrive in time fails as timed out`() async throws {
        let gate = Gate()
        try await withServer(
            Reply { _ in
                await gate.pass(); return .text("late")
            }
        ) { url, _ in
            let code = try await code(of: .get(url)) { $0.timeout = .milliseconds(200) }
            #expect(code == .timedOut)
            gate.open()
        }
    }

    @Test(arguments: [1_000, 1_001])
    func `a response body is accepted up to its limit`(count: Int) async throws {
        try await withServer(Reply { _ in Response(status: 200, body: Array(repeating: 1, count: count)) }) { url, _ in
            let transport = try transport { $0.responseLimit = 1_000 }
            if count == 1_000 {
                #expect(try await transport.text(of: url).utf8.count == 1_000)
            } else {
                #expect(try await code(of: .get(url)) { $0.responseLimit = 1_000 } == .tooLarge)
            }
        }
    }

    @Test func `a response body without an announced length is refused beyond the limit`() async throws {
        let server = try RawServer(answering: "HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: 5_000))
        #expect(try await code(of: .get(server.url)) { $0.responseLimit = 1_000 } == .tooLarge)
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", "", "not HTTP at all\r\n\r\n",
    ])
    func `a request whose response is incomplete or not HTTP fails with the code interrupted`(bytes: String)
        async throws
    {
        let server = try RawServer(answering: bytes)
        let code = try await code(of: .get(server.url))
        #expect(code == .interrupted, "\(bytes) gave \(String(describing: code))")
    }

    @Test func `an informational response (1xx) before the final one is skipped`() async throws {
        let server = try RawServer(
            answering:
                "HTTP/1.1 103 Early Hints\r\nA: early\r\n\r\nHTTP/1.1 200 OK\r\nA: late\r\nContent-Length: 0\r\n\r\n")
        let answer = try await transport().send(.get(server.url))
        #expect(answer.status == 200)
        #expect(answer.headers["A"] == "late")
        #expect(answer.headers.fields.count == 2)
    }
}
