import Testing

@testable import TenureDevice

struct ServerAddressTests {
    @Test(arguments: ["", "127.0.0.1:8080", "ftp://a", "http://", "http://a/path", "http://ada:pw@a", "unix:"])
    func `a malformed server address is refused`(text: String) {
        #expect(ServerAddress(text) == nil)
    }

    @Test(arguments: [
        ("https://127.0.0.1/licenses?a=b", "http://127.0.0.1:8080/licenses?a=b"),
        ("http://127.0.0.1:9999/licenses", "http://127.0.0.1:8080/licenses"),
        ("https://cdn.example/signing.cer", "https://cdn.example/signing.cer"),
        ("https://127.0.0.1.evil.example/", "https://127.0.0.1.evil.example/"),
    ])
    func `without a configured domain, only requests to the host of the server's address are sent to that address`(
        url: String, asked: String
    ) throws {
        let address = try #require(ServerAddress("http://127.0.0.1:8080/"))
        #expect(address.reachable(url) == asked)
        #expect(address.isOwn(url) == (asked != url))
    }

    @Test func `requests to a configured domain are sent to the server's address`() throws {
        let address = try #require(ServerAddress("http://127.0.0.1:8080", domain: "Market.Example"))
        #expect(address.isRenamed)
        #expect(address.reachable("https://market.example/a") == "http://127.0.0.1:8080/a")
        #expect(address.reachable("https://127.0.0.1/a") == "https://127.0.0.1/a")
    }

    @Test func `a server address with an IPv6 host in brackets is read`() throws {
        let address = try #require(ServerAddress("http://[::1]:8080"))
        #expect(address.domain == "::1")
        #expect(address.reachable("https://[::1]/a") == "http://[::1]:8080/a")
    }

    @Test func `a request over a Unix socket names the domain as its host`() throws {
        let address = try #require(ServerAddress("unix:/run/tenure.socket", domain: "market.example"))
        #expect(address.unixSocket == "/run/tenure.socket")
        #expect(address.reachable("https://market.example/a") == "http://market.example/a")
        #expect(ServerAddress(address.text, domain: address.domain) == address)
    }
}
