import TenureCore
import TenureMarketplaceClient
import Testing

/// Which hosts receive an account's bearer token.
@Suite struct RequestHeadersTests {
    private static let headers = RequestHeaders(
        domain: "Market.example",
        configuration: [
            "https://api.market.example/restore", "https://own.example:8443/license", "http://plain.example/updates",
            "https://user@trick.example/x",
        ],
        territory: "ie")
    private static let bearers = [Given.ada: "ada-token", Given.bob: "bob-token"]

    @Test(arguments: [
        "https://market.example/adp/manifest.json", "HTTPS://MARKET.EXAMPLE", "https://market.example:443/?a",
        "https://api.market.example?x=1", "https://api.market.example#top", "https://own.example:8443/anything",
    ])
    func `requests to a marketplace's hosts have the account's token and territory`(_ url: String) {
        let fields = Self.headers.fields(for: url, account: Given.ada, bearers: Self.bearers)
        #expect(fields == ["Authorization": "Bearer ada-token", "Tenure-Territory": "ie"])
    }

    @Test(arguments: [
        "http://market.example/", "https://market.example.evil.example/", "https://evil.example/market.example",
        "https://evilmarket.example/", "https://sub.market.example/", "https://market.example@evil.example/",
        "https://evil.example#@market.example/", "https://market.example\\@evil.example/",
        "https://market.example:8443/", "https://own.example/", "https://market.example:/",
        "https://market.example./", "https://market.example%2eevil.example/", "https://plain.example/updates",
        "https://trick.example/x", "https://m\u{430}rket.example/", " https://market.example/",
        "https://market.example /", "https:/market.example/", "//market.example/", "market.example", "",
        "https://", "https://market.example:99999/", "https://[::1]/", "https://market.example\u{0}/",
    ])
    func `requests to URLs outside the marketplace have neither the account's token nor its territory`(_ url: String) {
        #expect(Self.headers.fields(for: url, account: Given.ada, bearers: Self.bearers).isEmpty)
    }

    @Test func `a redirect through another host drops the account's headers, and one within the marketplace doesn't`() {
        let own = "https://market.example/a"
        func fields(_ url: String, after visited: [String]) -> [String: String] {
            Self.headers.fields(for: url, after: visited, account: Given.ada, bearers: Self.bearers)
        }
        #expect(fields("https://cdn.example/a", after: [own]).isEmpty)
        #expect(fields(own, after: ["https://cdn.example/a"]).isEmpty)
        #expect(fields(own, after: [own, "http://market.example/a"]).isEmpty)
        #expect(!fields(own, after: ["https://api.market.example/a"]).isEmpty)
    }

    @Test func `each account's requests have only that account's token`() throws {
        let composed = try #require(AccountID("caf\u{E9}"))
        let decomposed = try #require(AccountID("cafe\u{301}"))
        let bearers = Self.bearers.merging([composed: "composed-token"]) { $1 }
        func bearer(_ account: AccountID) -> String? {
            Self.headers.fields(for: "https://market.example/", account: account, bearers: bearers)["Authorization"]
        }
        #expect(bearer(Given.ada) == "Bearer ada-token")
        #expect(bearer(Given.bob) == "Bearer bob-token")
        #expect(bearer(composed) == "Bearer composed-token")
        #expect(bearer(decomposed) == nil)
        #expect(bearer(try #require(AccountID("Ada"))) == nil)
    }

    @Test(arguments: ["", "two words", "a\r\nX-Evil: 1", "\u{E9}"])
    func `an invalid bearer token isn't sent`(_ bearer: String) {
        #expect(
            Self.headers.fields(for: "https://market.example/", account: Given.ada, bearers: [Given.ada: bearer]) == [:]
        )
    }

    @Test(arguments: [("IRL", "IRL"), ("i1", nil), ("x\r\n", nil), ("", nil)])
    func `a territory is sent only if it has two or three letters`(_ said: String, _ sent: String?) {
        let headers = RequestHeaders(domain: "market.example", territory: said)
        let fields = headers.fields(for: "https://market.example/", account: Given.ada, bearers: Self.bearers)
        #expect(fields["Tenure-Territory"] == sent)
        #expect(fields["Authorization"] == "Bearer ada-token")
    }
}
