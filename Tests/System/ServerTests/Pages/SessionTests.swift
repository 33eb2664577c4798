import TenureCore
import TenureHTTP
import TenureMarketplaceServer
import TenureServerKit
import TenureStore
import Testing

@Suite struct `Sessions` {
    private let tenant = SampleApps.tenant
    private let other = TenantID("other")!

    private func request(_ headers: Headers) -> Request { Request(method: "POST", path: "/", headers: headers) }

    @Test func `random session tokens differ, and each can be parsed from its text`() {
        let (one, two) = (SessionToken.random(), SessionToken.random())
        #expect(one != two && one.hash != two.hash)
        #expect(SessionToken(one.text) == one)
    }

    @Test func `a CSRF token is accepted only for its own session and tenant`() {
        let (one, two) = (SessionToken.random(), SessionToken.random())
        #expect(one.accepts(one.formCode(for: tenant), for: tenant))
        #expect(!one.accepts(two.formCode(for: tenant), for: tenant))
        #expect(!one.accepts(one.formCode(for: other), for: tenant))
        #expect(!one.accepts("", for: tenant) && !one.accepts(one.text, for: tenant))
    }

    @Test(arguments: [
        "", "short", String(repeating: "A", count: 42), String(repeating: "A", count: 44),
        String(repeating: "!", count: 43), String(repeating: "A", count: 42) + "B",
    ])
    func `a malformed session token is refused`(_ text: String) {
        #expect(SessionToken(text) == nil)
    }

    @Test(
        arguments: [
            (["Host": "127.0.0.1:8080"], false), (["Host": "localhost"], false), (["Host": "[::1]:80"], false),
            (["Host": "LOCALHOST:1"], false), (["Host": "127.0.0.1", "X-Forwarded-Proto": "https"], true),
            (["Host": "127.0.0.1", "X-Forwarded-Proto": "http"], true), (["Host": "market.example"], true), ([:], true),
            (["Host": "localhost.market.example"], true), (["Host": "127.0.0.1.market.example"], true),
        ] as [(Headers, Bool)])
    func `a session cookie is Secure unless the request is for a loopback host without a proxy`(
        _ headers: Headers, _ isSecure: Bool
    ) {
        let cookie = SessionCookie(of: tenant, on: .resolution, in: request(headers))
        let field = cookie.set(SamplePages.token)
        let name = isSecure ? "__Secure-tenure_session" : "tenure_session"
        let flags = "; Max-Age=1800; Path=/resolve/acme; HttpOnly; SameSite=Strict" + (isSecure ? "; Secure" : "")
        #expect(field == "\(name)=\(SamplePages.token.text)\(flags)")
        #expect(cookie.removal.hasPrefix("\(name)=; Max-Age=0; Path=/resolve/acme;"))
    }

    @Test func `the session's cookie is found among others, only by its exact name`() {
        let text = SamplePages.token.text
        let cases: [(String, Bool)] = [
            ("tenure_session=\(text)", true), ("a=b; tenure_session=\(text); c=d", true),
            ("__Secure-tenure_session=\(text)", false), ("xtenure_session=\(text)", false), ("tenure_session=x", false),
            ("tenure_session", false), ("", false), ("  tenure_session=\(text)", true),
            // Browsers don't protect these names as they protect `__Secure-`.
            ("tenure _session=\(text)", false), ("tenure_session =\(text)", false),
        ]
        for (field, isThere) in cases {
            let request = request(["Host": "localhost", "Cookie": field])
            #expect(
                SessionCookie(of: tenant, on: .resolution, in: request).tokens(in: request).isEmpty != isThere,
                "\(field)")
        }
    }

    @Test(
        arguments: [
            ([:], true), (["Sec-Fetch-Site": "same-origin"], true), (["Sec-Fetch-Site": "none"], true),
            (["Sec-Fetch-Site": "cross-site"], false), (["Sec-Fetch-Site": "same-site"], false),
            (["Sec-Fetch-Site": "cross-site", "Origin": "https://market.example"], false),
            (["Origin": "https://market.example"], true), (["Origin": "https://MARKET.example"], true),
            (["Origin": "null"], true), (["Origin": "https://evil.example"], false),
            (["Origin": "https://market.example:444"], false), (["Origin": "market.example"], false),
            (["Origin": "https://market.example.evil"], false),
        ] as [(Headers, Bool)])
    func `a form is treated as same-origin unless Sec-Fetch-Site or a non-null Origin contradicts it`(
        _ headers: Headers, _ isOwn: Bool
    ) {
        var headers = headers
        headers.add("Host", "market.example")
        #expect(request(headers).isFromOwnPage == isOwn)
    }

    @Test(arguments: [
        ("7qk2m0zd", "7QK2-M0ZD"), ("7QK2-M0ZD", "7QK2-M0ZD"), (" 7qk2 mozd ", "7QK2-M0ZD"), ("ILo0-ABCD", "1100-ABCD"),
    ]) func `a support reference is read in any letter case, with or without its hyphen, and with look-alike letters`(
        _ text: String, _ expected: String
    ) {
        #expect(SupportReference(text: text)?.description == expected)
    }

    @Test(arguments: ["", "7QK2", "7QK2-M0ZDX", "7QK2-M0ZU", "7QK2_M0ZD"])
    func `a malformed support reference is refused`(
        _ text: String
    ) {
        #expect(SupportReference(text: text) == nil)
    }

    @Test func `a support reference is the first 40 bits of the session's hash`() {
        let digest = Digest([0xFF, 0x00, 0x00, 0x00, 0x1F] + [UInt8](repeating: 9, count: 27))!
        #expect(SupportReference(of: digest).description == "ZW00-000Z")
    }
}
