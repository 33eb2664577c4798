import TenureClient
import TenureCore
import Testing

@Suite struct ServiceAddressTests {
    @Test(arguments: [
        ("https://api.example", "https://api.example/x"), ("https://api.example/", "https://api.example/x"),
        ("https://api.example:8443/tenure/", "https://api.example:8443/tenure/x"),
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080/x"), ("http://localhost", "http://localhost/x"),
        ("http://[::1]:9", "http://[::1]:9/x"), ("HTTPS://api.example", "HTTPS://api.example/x"),
    ])
    func `a server's URL may use https, or http on this machine`(base: String, url: String) throws {
        let address = try #require(ServiceAddress(base, product: .notes()))
        #expect(address.url("/x") == url)
    }

    @Test(arguments: [
        "", "api.example", "ftp://api.example", "https://", "https:///x", "http://api.example",
        "http://localhost.evil.example", "http://127.0.0.1.evil.example", "http://[::1].evil.example",
        "http://evil.example#127.0.0.1", "https://me:secret@api.example", "https://api.example/?a", "https://a/#b",
        "https://a b", "https://a\r\nb",
    ])
    func `a server's URL that is malformed, lacks TLS on another host, or has a user, query or fragment is refused`(
        base: String
    )
        throws
    {
        #expect(try ServiceAddress(base, product: .notes()) == nil)
    }
}
