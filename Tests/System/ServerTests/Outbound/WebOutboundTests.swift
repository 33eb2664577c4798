import Synchronization
import TenureHTTP
import TenureHTTPServer
import TenureServerKit
import Testing

@testable import tenure

/// Outbound requests of the program to real servers on the loopback interface.
@Suite struct WebOutboundTests {
    /// Records requests and responds to each with what it received.
    private final class Provider: Handler {
        private let requests = Mutex<[String]>([])
        /// Method, path, `Authorization` and body of each request.
        var received: [String] { requests.withLock { $0 } }

        func respond(to request: Request) async -> Response {
            let text = [
                request.method, request.path, request.headers["Authorization"] ?? "-",
                request.headers["Content-Type"] ?? "-", String(decoding: request.body, as: UTF8.self),
            ].joined(separator: " ")
            requests.withLock { $0.append(text) }
            if request.path == "/moved" {
                return Response(status: 302, headers: ["Location": "/found"])
            }
            return .text(text)
        }
    }

    /// Runs a provider, and passes it with its URL and destination.
    private func withProvider(
        _ body: (Provider, _ url: String, OutboundLimits.Destination) async throws -> Void
    ) async throws {
        let provider = Provider()
        let server = try HTTPServer.start(.init(listen: .tcp(host: "127.0.0.1", port: 0)), handler: provider)
        do {
            guard case .tcp(let host, let port) = server.address else { return }
            try await body(
                provider, "http://\(host):\(port)", try #require(OutboundLimits.Destination("\(host):\(port)")))
        } catch {
            await server.stop(within: .zero)
            throw error
        }
        await server.stop(within: .zero)
    }

    private func post(_ url: String) -> OutgoingRequest {
        OutgoingRequest(
            method: "POST", url: url,
            headers: ["Authorization": "Bearer key", "Content-Type": "application/x-www-form-urlencoded"],
            body: Array("a=1".utf8))
    }

    private let publicAddresses = OutboundLimits(reach: .publicAddresses, size: 1 << 16, seconds: 10)

    @Test func `an outbound request to a server on the loopback interface is refused and doesn't reach it`()
        async throws
    {
        try await withProvider { provider, url, _ in
            let outbound = try WebOutbound()
            for request in [.get(url), post(url)] {
                let error = await #expect(throws: OutboundError.self) {
                    try await outbound.send(request, within: publicAddresses)
                }
                #expect(error?.kind == .forbidden)
                #expect(error?.message.contains("--egress-allow HOST:PORT") == true)
            }
            #expect(provider.received.isEmpty)
        }
    }

    @Test(arguments: ["http://127.0.0.1/", "http://127.1/", "http://2130706433/", "http://[::1]/", "http://localhost/"])
    func `an outbound request to localhost or a loopback address in IPv4, IPv6, short or decimal form is refused`(
        url: String
    ) async throws {
        let outbound = try WebOutbound()
        let error = await #expect(throws: OutboundError.self) {
            try await outbound.send(.get(url), within: publicAddresses)
        }
        #expect(error?.kind == .forbidden)
    }

    @Test func `a server at an allowed host and port receives a POST request with its credential and body`()
        async throws
    {
        try await withProvider { provider, url, destination in
            let answer = try await WebOutbound(allowing: [destination]).send(
                post(url + "/charges"), within: publicAddresses)
            #expect(answer.status == 200)
            #expect(provider.received == ["POST /charges Bearer key application/x-www-form-urlencoded a=1"])
        }
    }

    @Test func `an outbound request that isn't limited to public addresses reaches a server on the loopback interface`()
        async throws
    {
        try await withProvider { provider, url, _ in
            let answer = try await WebOutbound().send(
                post(url), within: OutboundLimits(reach: .everywhere, size: 1 << 16, seconds: 10))
            #expect(answer.status == 200)
            #expect(provider.received.count == 1)
        }
    }

    @Test func `an outbound request to another port of an allowed host is refused`() async throws {
        try await withProvider { provider, url, destination in
            let other = try #require(OutboundLimits.Destination("\(destination.host):1"))
            let outbound = try WebOutbound(allowing: [other])
            let error = await #expect(throws: OutboundError.self) {
                try await outbound.send(post(url), within: publicAddresses)
            }
            #expect(error?.kind == .forbidden)
            #expect(provider.received.isEmpty)
        }
    }

    @Test func `a redirect of an outbound request isn't followed`() async throws {
        try await withProvider { provider, url, destination in
            let answer = try await WebOutbound(allowing: [destination]).send(
                post(url + "/moved"), within: publicAddresses)
            #expect(answer.status == 302 && answer.headers["Location"] == "/found")
            #expect(provider.received.count == 1)
        }
    }
}
