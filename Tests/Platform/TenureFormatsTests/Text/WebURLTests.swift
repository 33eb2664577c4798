import TenureFormats
import Testing

@Suite struct WebURLTests {
    @Test(
        arguments: [
            ("https://market.example", "https", "market.example", nil, "", false),
            ("HTTPS://Market.Example/a?b=/#c", "https", "market.example", nil, "/a?b=/#c", false),
            ("http://127.0.0.1:8080/x", "http", "127.0.0.1", 8080, "/x", false),
            ("https://[2001:DB8::1]:443?q", "https", "2001:db8::1", 443, "?q", false),
            ("https://ada:pw@market.example:1/", "https", "market.example", 1, "/", true),
            ("com.example+a-b://x_y", "com.example+a-b", "x_y", nil, "", false),
        ] as [(String, String, String, UInt16?, String, Bool)])
    func `a URL is split into its parts`(
        text: String, scheme: String, host: String, port: UInt16?, rest: String, hasUser: Bool
    ) throws {
        let url = try #require(WebURL(text))
        #expect(url.scheme == scheme && url.host == host && url.port == port)
        #expect(url.rest == rest && url.hasUser == hasUser)
    }

    @Test func `the origin of a URL has brackets around an IPv6 address, and the explicit port`() {
        #expect(WebURL("HTTPS://[::1]:443/x")?.origin == "https://[::1]:443")
        #expect(WebURL("https://A.example?x")?.origin == "https://a.example")
    }

    @Test(arguments: [
        "", "market.example", "/path", "//market.example", "https:market.example", "https:/market.example", "https://",
        "https:///path", "https://:80", "https://a:", "https://a:0", "https://a:65536", "https://a:+80", "https://a:8a",
        "https://a b", "https://a\tb", "https://a\u{0}", "https://ä.example", "https://[dead.beef]",
        "http://[127.0.0.1]", "https://a\\@b", "https://a%2Fb",
        "https://.a",
        "https://a.", "https://a@b@c", "https://[::1", "https://[]", "https://[::1]x", "https://[g::1]", "1a://b",
        "://a", "a b://c", "https://a,b", "https://" + String(repeating: "a", count: 254),
        "https://a/" + String(repeating: "a", count: 8192),
    ])
    func `a URL that is relative, malformed, ambiguous or too long is refused`(text: String) {
        #expect(WebURL(text) == nil)
    }

    @Test(
        arguments: zip(
            [
                "http://localhost:1", "http://127.0.0.1", "http://127.9.9.9/x", "http://[::1]",
                "http://127.evil.example",
                "http://localhost.example", "http://[::2]", "http://10.0.0.1",
            ], [true, true, true, true, false, false, false, false]))
    func `only localhost, the addresses in 127.0.0.0/8 and ::1 are loopback hosts`(text: String, isHere: Bool) {
        #expect(WebURL(text)?.isThisMachine == isHere)
    }
}
