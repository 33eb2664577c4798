import TenureHTTP
import TenureServerKit
import Testing

/// Tests which outbound requests are allowed, and which limits `--egress-allow` lifts.
@Suite struct OutboundLimitsTests {
    private static func needsPublicAddress(
        _ url: String, credential: Bool = false, besides allowed: Set<OutboundLimits.Destination> = []
    ) throws(OutboundError) -> Bool {
        try OutboundLimits(reach: .publicAddresses, size: 1, seconds: 1).needsPublicAddress(
            for: .get(url, headers: credential ? ["authorization": "Bearer key"] : [:]), besides: allowed)
    }

    private static func allowed(_ texts: String...) -> Set<OutboundLimits.Destination> {
        Set(texts.compactMap { OutboundLimits.Destination($0) })
    }

    @Test(arguments: ["https://a.example/x", "https://a.example:443", "http://a.example", "https://a.example:80/"])
    func `an outbound request to port 80 or 443 is allowed and needs a public address`(url: String) throws {
        #expect(try Self.needsPublicAddress(url))
    }

    @Test(
        arguments: [
            "https://a.example:8443", "http://a.example:22", "ftp://a.example", "https://user@a.example",
            "https://", "a.example", "http://a.example\\@b.example",
        ])
    func `an outbound URL is forbidden if it's malformed, names a user, or isn't HTTP(S) on port 80 or 443`(
        url: String
    ) {
        let error = #expect(throws: OutboundError.self) { try Self.needsPublicAddress(url) }
        #expect(error?.kind == .forbidden)
    }

    @Test func `an outbound request with a credential is forbidden without https`() throws {
        #expect(try Self.needsPublicAddress("https://a.example", credential: true))
        let error = #expect(throws: OutboundError.self) {
            try Self.needsPublicAddress("http://a.example", credential: true)
        }
        #expect(error?.kind == .forbidden)
    }

    @Test(arguments: ["http://Hooks.internal:8443/x", "https://hooks.internal:8443"])
    func `an outbound request to an allowed host and port may use a private address and no TLS`(url: String) throws {
        let allowed = Self.allowed("hooks.internal:8443")
        #expect(try !Self.needsPublicAddress(url, credential: true, besides: allowed))
    }

    @Test(arguments: ["https://hooks.internal", "https://a.example"])
    func `allowing a destination doesn't allow private addresses for other hosts or ports`(url: String) throws {
        let allowed = Self.allowed("hooks.internal:8443")
        #expect(try Self.needsPublicAddress(url, besides: allowed))
    }

    @Test(arguments: [("[::1]:9000", "::1"), ("LOCALHOST:80", "localhost"), ("10.0.0.1:1", "10.0.0.1")])
    func `an allowed outbound destination is parsed as a host and a port`(text: String, host: String) {
        #expect(OutboundLimits.Destination(text)?.host == host)
    }

    @Test(arguments: ["", "a.example", "a.example:0", "a.example:65536", "a.example:80/x", "u@a.example:80", "::1:80"])
    func `text other than a host and a port from 1 to 65535 isn't a valid destination`(text: String) {
        #expect(OutboundLimits.Destination(text) == nil)
    }

    @Test func `an outbound request with a body over a megabyte is forbidden`() {
        let request = OutgoingRequest.post(
            "https://a.example", json: [UInt8](repeating: 0, count: OutboundLimits.longestBody + 1))
        let error = #expect(throws: OutboundError.self) {
            try OutboundLimits(reach: .everywhere, size: 1, seconds: 1).needsPublicAddress(for: request, besides: [])
        }
        #expect(error?.kind == .forbidden)
    }
}
