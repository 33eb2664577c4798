import TenureCore
import TenureCrypto
import TenureFormats
import TenureHTTP
import TenureLicensingServer
import TenureMarketplace
import TenureMarketplaceServer
import TenureServerKit
import TenureStore
import Testing

@Suite struct `The resolution page` {
    private let address = "/resolve/acme?account=ada&appleItemID=6483539426&appleVersionID=863214182"

    @Test func `without a session, the resolution page doesn't reveal whether the account in its URL exists`()
        async throws
    {
        let person = try await Person()
        try await person.save(.insert(SampleApps.license(endsIn: -1, state: .revoked, stopped: -1)))
        let existing = await person.get(address)
        let unknown = await person.get(address.replacing("account=ada", with: "account=eve"))
        #expect(existing.status == 200)
        #expect(existing.text.replacing(#"value="ada""#, with: #"value="eve""#) == unknown.text)
        #expect(existing.headers == unknown.headers)
        let none = await person.get("/resolve/acme?appleItemID=6483539426&appleVersionID=863214182")
        let stored = #"<input type="hidden" name="account" value="ada">"#
        #expect(existing.text.contains(stored), "the form for language and zone repeats the address")
        #expect(none.text == existing.text.replacing(stored, with: "").replacing(#"value="ada""#, with: #"value="""#))
    }

    @Test(arguments: [
        "", "?appleItemID=1", "?appleItemID=x", "?appleItemID=6483539426&appleItemID=1", "?%", "?account=%00",
        "?account=" + String(repeating: "a", count: 200), "?appleItemID=99999999999999999999",
    ]) func `a resolution page whose URL names no known app has a heading without an app's name`(_ query: String)
        async throws
    {
        let response = try await Person().get("/resolve/acme" + query)
        #expect(response.status == 200)
        #expect(response.page.outline.first == "h1 An app doesn’t open?")
    }

    @Test func `the resolution page shows a withdrawn app as withdrawn even without a session`() async throws {
        let person = try await Person(marketplace: SampleApps.marketplace(SampleApps.app(withdrawn: true)))
        #expect(await person.get(address).page.text.contains("no longer offered"))
    }

    @Test func `the resolution page's responses forbid scripts, frames, referrers and caching`() async throws {
        let person = try await Person()
        let response = await person.get(address)
        let policy = try #require(response.headers["Content-Security-Policy"])
        let (start, end) = (response.text.firstRange(of: "<style>"), response.text.firstRange(of: "</style>"))
        let sheet = try response.text[#require(start).upperBound..<#require(end).lowerBound]
        let hash = Base64.encode(SHA256.hash(Array(sheet.utf8)))
        #expect(
            policy == "default-src 'none'; style-src 'sha256-\(hash)'; img-src 'self' data:; form-action 'self'; "
                + "frame-ancestors 'none'; base-uri 'none'")
        for answer in [response, await person.get("/resolve/nobody"), await person.signIn()] {
            #expect(answer.headers["Content-Security-Policy"] == policy)
            #expect(answer.headers["Cache-Control"] == "no-store")
            #expect(answer.headers["Referrer-Policy"] == "no-referrer")
            #expect(answer.headers["X-Content-Type-Options"] == "nosniff")
        }
        #expect(response.headers["Content-Type"] == "text/html; charset=utf-8")
    }

    @Test func `the resolution page responds with 404 at a marketplace that has switched it off`() async throws {
        var marketplace = SampleApps.marketplace()
        marketplace.resolutionPage = false
        let person = try await Person(marketplace: marketplace)
        let (off, none, bad) = await (
            person.get("/resolve/acme"), person.get("/resolve/nobody"), person.get("/resolve/Not%20a%20name")
        )
        #expect(off.status == 404 && off == none && none == bad)
        #expect(await person.signIn().status == 404)
    }

    @Test func `opening the URL of a form on the resolution page redirects to that page`() async throws {
        let person = try await Person()
        for form in ["sign-in", "link", "sign-out", "release", "renew"] {
            let response = await person.get("/resolve/acme/\(form)")
            #expect(response.status == 303 && response.headers["Location"] == "/resolve/acme")
        }
    }
}
