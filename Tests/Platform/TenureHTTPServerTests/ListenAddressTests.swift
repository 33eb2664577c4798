import TenureHTTPServer
import Testing

@Suite struct ListenAddressTests {
    @Test(arguments: [
        ("127.0.0.1:8080", HTTPServer.Address.tcp(host: "127.0.0.1", port: 8080)),
        ("localhost:0", .tcp(host: "localhost", port: 0)), ("[::1]:65535", .tcp(host: "::1", port: 65535)),
        ("unix:/run/tenure.sock", .unix(path: "/run/tenure.sock")),
    ])
    func `the description of a listen address is parsed to the same address`(text: String, address: HTTPServer.Address)
    {
        #expect(HTTPServer.Address(text) == address)
        #expect(address.description == text)
    }

    @Test(arguments: [
        "", ":80", "host", "host:", "host:65536", "host:-1", "host:x", "::1:80", "unix:", "[]:80",
        "[[::1]]:80", "[host]:80", "[host:80", "host]:80", "host:+80", "host:\u{301}80",
    ])
    func `a text that isn't a listen address is refused`(text: String) {
        #expect(HTTPServer.Address(text) == nil)
    }
}
