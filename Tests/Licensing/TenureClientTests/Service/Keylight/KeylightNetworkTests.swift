import TenureClient
import TenureHTTP
import TenureHTTPClient
import Testing

/// The causes that a renewal reports for network faults.
@Suite struct KeylightNetworkTests {
    private let bench = KeylightBench()

    private func cause(
        of url: String, _ adjust: (inout TransportOptions) -> Void = { _ in }
    ) async throws -> RequestFailure.Cause? {
        try await bench.client(of: url, adjust).renew(bench.held, notBefore: nil).unreached?.cause
    }

    @Test func `a refused connection or an unknown host is reported as offline`() async throws {
        let gone = try await withServer { _ in
            .json(200, "{}")
        } _: {
            $0
        }
        #expect(try await cause(of: gone) == .offline)
        #expect(try await cause(of: "https://nowhere.invalid") == .offline)
    }

    @Test func `a certificate without a trusted issuer is reported as untrusted`() async throws {
        try await withTLSServer { server in
            let answer = try await bench.client(of: String(server.url.dropLast()))
                .renew(bench.held, notBefore: nil)
            #expect(answer.unreached?.cause == .untrusted)
        }
    }

    @Test func `a server with another key than the pinned one is reported as untrusted`() async throws {
        try await withTLSServer { server in
            let cause = try await cause(of: String(server.url.dropLast())) {
                $0.authorities = server.certificate
                $0.pinnedKeys = ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]
            }
            #expect(cause == .untrusted)
        }
    }

    @Test func `a truncated response is reported as offline, and truncated JSON as a captive portal's page`()
        async throws
    {
        let whole = #"{"error":"License has been revoked"}"#
        let server = try RawServer(
            answering: "HTTP/1.1 422 No\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n" + whole)
        #expect(try await cause(of: String(server.url.dropLast())) == .offline)
        let half = "{\"valid\":true,\"lease\":\(try bench.lease())".dropLast(20)
        #expect(try await bench.renewal(200, String(half)).unreached?.cause == .captive)
    }

    @Test func `a response over the size limit isn't accepted`() async throws {
        let body = #"{"error":"x","code":"license_revoked","pad":"\#(String(repeating: "x", count: 200_000))"}"#
        try await withServer { _ in
            .json(422, body)
        } _: { url in
            let cause = try await cause(of: url) { $0.responseLimit = 100_000 }
            #expect(cause == .captive)
        }
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `a redirect to the same host isn't followed`(status: Int) async throws {
        let received = Heard()
        let no = Response.json(422, #"{"error":"x","code":"license_revoked"}"#)
        try await withServer { request in
            received.note(request)
            guard request.path == "/acme/notes/validate" else { return no }
            return Response(status: status, headers: ["Location": "/elsewhere"])
        } _: { url in
            let cause = try await cause(of: url)
            #expect(cause == .captive)
        }
        #expect(received.paths == ["/acme/notes/validate"])
    }

    @Test func `a server that doesn't respond in time is reported as busy`() async throws {
        let gate = Gate()
        try await withServer { _ in
            await gate.pass()
            return .json(200, "{}")
        } _: { url in
            let cause = try await cause(of: url) { $0.timeout = .milliseconds(200) }
            #expect(cause == .busy)
            gate.open()
        }
    }

    @Test func `a cancelled renewal ends without a response and reports the cancellation`() async throws {
        let gate = Gate()
        try await withServer { _ in
            await gate.pass()
            return .json(200, "{}")
        } _: { url in
            let client = try bench.client(of: url)
            let task = Task { await client.renew(bench.held, notBefore: nil) }
            await gate.arrivals(1)
            task.cancel()
            #expect(await task.value.unreached?.cause == .cancelled)
            gate.open()
        }
    }
}
