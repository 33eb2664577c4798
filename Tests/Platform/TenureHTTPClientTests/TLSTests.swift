import TenureHTTP
import TenureHTTPClient
import Testing

struct TLSTests {
    @Test func `a server with a certificate of an untrusted issuer is refused`() async throws {
        try await withTLSServer { server in
            let transport = try transport()
            let error = await transport.failure(of: .get(server.url))
            #expect(error?.code == .tls)
        }
    }

    @Test func `a certificate of a trusted authority is accepted`() async throws {
        try await withTLSServer { server in
            let transport = try transport { $0.authorities = server.certificate }
            #expect(await transport.failure(of: .get(server.url)) == nil)
        }
    }

    @Test func `a server whose certificate is for another name is refused`() async throws {
        try await withTLSServer { server in
            let transport = try transport { $0.authorities = server.certificate }
            let url = server.url.replacing("localhost", with: "127.0.0.1")
            let error = await transport.failure(of: .get(url))
            #expect(error?.code == .tls)
        }
    }

    @Test func `a pinned key is required in addition to a trusted certificate`() async throws {
        try await withTLSServer { server in
            let right = try transport {
                $0.authorities = server.certificate
                $0.pinnedKeys = ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", server.pin]
            }
            #expect(await right.failure(of: .get(server.url)) == nil)
            let wrong = try transport {
                $0.authorities = server.certificate
                $0.pinnedKeys = ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]
            }
            let error = await wrong.failure(of: .get(server.url))
            #expect(error?.code == .wrongKey)
            let untrusted = try transport { $0.pinnedKeys = [server.pin] }
            let other = await untrusted.failure(of: .get(server.url))
            #expect(other?.code == .tls)
        }
    }
}
