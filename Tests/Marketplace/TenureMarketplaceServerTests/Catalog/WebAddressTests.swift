import Testing

@testable import TenureMarketplaceServer

@Suite struct WebAddressTests {
    @Test(arguments: [
        "http://127.0.0.1", "http://localhost:8080/sign-in", "http://[::1]:1/?a=b",
        "https://shop.example/sign-in?a=[1]",
    ])
    func `a sign-in URL uses https, or the loopback interface`(text: String) {
        #expect(WebAddress.signInFault(of: text) == nil)
    }

    @Test(arguments: [
        "http://127.0.0.1:80@shop.example/", "http://localhost:pw@shop.example", "http://localhost@shop.example",
        "http://[::1]:", "http://localhost:0", "http://127.0.0.1.shop.example", "http://shop.example",
        "http://localhost#a",
        "http://localhost/<", "https://a@shop.example", "https://shop.example:0/", "https://shop.example/#a",
        "https://shop.example:1@other.example",
    ])
    func `a sign-in URL with a user, a fragment or an invalid port is refused`(text: String) {
        #expect(WebAddress.signInFault(of: text) != nil)
    }

    @Test func `the host is in lowercase and has no port`() {
        #expect(WebAddress.host(of: "https://Market.Example:8443/a?b") == "market.example")
    }
}
