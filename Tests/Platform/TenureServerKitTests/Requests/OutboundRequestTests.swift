import TenureServerKit
import Testing

/// Which requests may be sent to the public internet, and what `--egress-allow` lifts.
@Suite struct OutboundRequestTests {
    private static func request(_ url: String, credential: Bool = false) -> OutboundRequest {
        OutboundRequest(
            url, fields: credential ? [("authorization", "Bearer key")] : [], reach: .publicAddresses, limit: 1,
            seconds: 1)
    }

    private static func allowed(_ texts: String...) -> Set<OutboundRequest.Destination> {
        Set(texts.compactMap { OutboundRequest.Destination($0) })
    }

    @Test(arguments: ["https://a.example/x", "https://a.example:443", "http://a.example", "https://a.example:80/"])
    func `ports 80 and 443 of public addresses may be reached`(url: String) throws {
        #expect(try Self.request(url).needsPublicAddress(besides: []))
    }

    @Test(
        arguments: [
            "https://a.example:8443", "http://a.example:22", "ftp://a.example", "https://user@a.example",
            "https://", "a.example", "http://a.example\\@b.example",
        ])
    func `another port, scheme or form of a URL is forbidden`(url: String) {
        let error = #expect(throws: OutboundError.self) { try Self.request(url).needsPublicAddress(besides: []) }
        #expect(error?.kind == .forbidden)
    }

    @Test func `a credential is sent only with https`() throws {
        #expect(try Self.request("https://a.example", credential: true).needsPublicAddress(besides: []))
        let error = #expect(throws: OutboundError.self) {
            try Self.request("http://a.example", credential: true).needsPublicAddress(besides: [])
        }
        #expect(error?.kind == .forbidden)
    }

    @Test(arguments: ["http://Hooks.internal:8443/x", "https://hooks.internal:8443"])
    func `an allowed host and port may be private and without TLS`(url: String) throws {
        let allowed = Self.allowed("hooks.internal:8443")
        #expect(try !Self.request(url, credential: true).needsPublicAddress(besides: allowed))
    }

    @Test(arguments: ["https://hooks.internal", "https://a.example"])
    func `an allowed destination lifts the rules for no other host or port`(url: String) throws {
        let allowed = Self.allowed("hooks.internal:8443")
        #expect(try Self.request(url).needsPublicAddress(besides: allowed))
    }

    @Test(arguments: [("[::1]:9000", "::1"), ("LOCALHOST:80", "localhost"), ("10.0.0.1:1", "10.0.0.1")])
    func `a destination is a host and a port`(text: String, host: String) {
        #expect(OutboundRequest.Destination(text)?.host == host)
    }

    @Test(arguments: ["", "a.example", "a.example:0", "a.example:65536", "a.example:80/x", "u@a.example:80", "::1:80"])
    func `text without a host and a port is no destination`(text: String) {
        #expect(OutboundRequest.Destination(text) == nil)
    }

    @Test func `a body over a megabyte is forbidden`() {
        let request = OutboundRequest.post(
            "https://a.example", body: [UInt8](repeating: 0, count: OutboundRequest.longestBody + 1), fields: [],
            reach: .everywhere, limit: 1, seconds: 1)
        let error = #expect(throws: OutboundError.self) { try request.needsPublicAddress(besides: []) }
        #expect(error?.kind == .forbidden)
    }
}
