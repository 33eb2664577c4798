import Glibc
import Synchronization
import TenureHTTP
import Testing

@testable import TenureHTTPServer

@Suite struct PeerTests {
    /// Returns the peers that the server reports for one request.
    func seen(_ listen: HTTPServer.Address = .tcp(host: "127.0.0.1", port: 0)) async throws -> [Request.Peer] {
        let seen = Mutex<[Request.Peer]>([])
        let handler = Reply { request in
            seen.withLock { $0.append(request.peer) }
            return .text("")
        }
        try await withServer(handler, listen: listen) { server in
            let client = try Client(server.address)
            #expect(await client.ask(get("/"))?.status == 200)
        }
        return seen.withLock { $0 }
    }

    @Test func `the peer of a request over TCP is the client's IP address`() async throws {
        let loopback = try #require(IPAddress("127.0.0.1"))
        #expect(try await seen() == [.host(loopback)])
    }

    @Test func `the peer of a connection over IPv6 is the client's whole address`() {
        var name = sockaddr_in6()
        name.sin6_family = sa_family_t(AF_INET6)
        withUnsafeMutableBytes(of: &name.sin6_addr) { $0.copyBytes(from: [0x20, 0x01, 0x0D, 0xB8] + (4..<16)) }
        let peer = withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { Request.Peer($0) }
        }
        #expect(peer == .host(IPAddress(high: 0x2001_0DB8_0405_0607, low: 0x0809_0A0B_0C0D_0E0F)))
        #expect(Request.Peer(nil) == .local)
    }

    @Test func `the peer of a request over a Unix socket is local`() async throws {
        try await withTemporaryFolder { folder in
            let peers = try await seen(.unix(path: folder + "/s"))
            #expect(peers == [.local])
        }
    }
}
