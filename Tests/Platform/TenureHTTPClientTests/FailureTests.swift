import TenureHTTP
import TenureHTTPClient
import TenureHTTPServer
import Testing

struct FailureTests {
    private func code(
        of request: HTTPRequest, _ adjust: (inout TransportOptions) -> Void = { _ in }
    ) async throws -> TransportError.Code? {
        let transport = try transport(adjust)
        return await transport.failure(of: request)?.code
    }

    @Test func `where nobody listens there is no connection`() async throws {
        let url = try await withServer(echo) { url, _ in url }
        #expect(try await code(of: .get(url)) == .couldNotConnect)
        #expect(try await code(of: .get("http://nowhere.invalid/")) == .couldNotConnect)
        #expect(try await code(of: .get("http://host/")) { $0.unixSocket = "/nowhere/socket" } == .couldNotConnect)
    }

    @Test func `a message names the server, and no query or body`() async throws {
        let url = try await withServer(echo) { url, _ in url }
        let transport = try transport()
        let error = await transport.failure(of: .post("\(url)/path?token=hidden", json: Array("hidden".utf8)))
        #expect(error?.message.contains(url) == true)
        #expect(error?.message.contains("hidden") == false)
    }

    @Test func `an answer that does not come in time is given up`() async throws {
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
    func `a body of the limit is taken, and one byte more is not`(count: Int) async throws {
        try await withServer(Reply { _ in Response(status: 200, body: Array(repeating: 1, count: count)) }) { url, _ in
            let transport = try transport { $0.responseLimit = 1_000 }
            if count == 1_000 {
                #expect(try await transport.text(of: url).utf8.count == 1_000)
            } else {
                #expect(try await code(of: .get(url)) { $0.responseLimit = 1_000 } == .tooLarge)
            }
        }
    }

    @Test func `a body without an announced length is cut at the limit`() async throws {
        let server = try RawServer(answering: "HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: 5_000))
        #expect(try await code(of: .get(server.url)) { $0.responseLimit = 1_000 } == .tooLarge)
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", "", "not HTTP at all\r\n\r\n",
    ])
    func `an answer that breaks off is none`(bytes: String) async throws {
        let server = try RawServer(answering: bytes)
        let code = try await code(of: .get(server.url))
        #expect(code == .interrupted || code == .badURL, "\(bytes) gave \(String(describing: code))")
    }

    @Test func `an informational answer is not the answer`() async throws {
        let server = try RawServer(
            answering:
                "HTTP/1.1 103 Early Hints\r\nA: early\r\n\r\nHTTP/1.1 200 OK\r\nA: late\r\nContent-Length: 0\r\n\r\n")
        let answer = try await transport().send(.get(server.url))
        #expect(answer.status == 200)
        #expect(answer.fields["A"] == "late")
        #expect(answer.fields.fields.count == 2)
    }
}
