import Testing

@testable import TenureMarketplaceServer

@Suite struct WebAddressTests {
    @Test(arguments: [
        "http://127.0.0.1", "http://localhost:8080/sign-in", "http://[::1]:1/?a=b",
        "https://shop.example/sign-in?a=[1]",
    ])
    func `a sign-in URL with https, or with http on the loopback interface, is accepted`(text: String) {
        #expect(WebAddress.signInFault(of: text) == nil)
    }

    @Test(arguments: [
        "http://127.0.0.1:80@shop.example/", "http://localhost:pw@shop.example", "http://localhost@shop.example",
        "http://[::1]:", "http://localhost:0", "http://127.0.0.1.shop.example", "http://shop.example",
        "http://localhost#a",
        "http://localhost/<", "https://a@shop.example", "https://shop.example:0/", "https://shop.example/#a",
        "https://shop.example:1@other.example",
    ])
    func `a sign-in URL with a user, a fragment, an invalid character or port, or http to another host is refused`(
        text: String
    ) {
        #expect(WebAddress.signInFault(of: text) != nil)
    }

    @Test func `the host of a URL is returned in lowercase and without its port`() {
        #expect(WebAddress.host(of: "https://Market.Example:8443/a?b") == "market.example")
    }
}
