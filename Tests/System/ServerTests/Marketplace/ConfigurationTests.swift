import TenureCore
import TenureCrypto
import TenureFormats
import TenureHTTP
import TenureLicensingServer
import TenureMarketplace
import TenureServerKit
import TenureTesting
import Testing

/// The configuration at `/.well-known/marketplace-kit`, as Apple documents it, and the URLs in it.
@Suite struct ConfigurationTests {
    @Test
    func `without endpoint overrides, a marketplace's configuration has only the members license, restore and updates`()
        async throws
    {
        let answer = await (try await Market.open()).configuration()
        #expect(answer.status == 200)
        #expect(answer.headers["Content-Type"] == "application/json")
        #expect(Set(answer.body.keys) == ["license", "restore", "updates"])
        #expect(
            Self.license(answer).keys.sorted() == [
                "dynamicLicenseURL", "encryptionCertificateURL", "licenseRenewalURL", "licenseResolutionURL",
                "signingCertificateURL",
            ])
        #expect(Self.license(answer).values.allSatisfy { $0.hasPrefix("https://mart.example/") })
    }

    @Test func `a resolution page that is switched off isn't in the configuration and gets 404`() async throws {
        let shop = try await Market.open(members: #""resolutionPage": false"#)
        #expect(Self.license(await shop.configuration())["licenseResolutionURL"] == nil)
        #expect(await shop.vendor.get("/resolve/acme?appleItemID=\(GivenMart.item)").status == 404)
    }

    @Test
    func `the configuration lists all URLs of an app with an endpoint override, and the override's path is served`()
        async throws
    {
        let item = GivenMart.item
        let overrides = #""overrides": {"\#(item)": {"license": {"licenseRenewalURL": "/own/renewal"}}}"#
        let shop = try await Market.open(members: overrides)
        let answer = await shop.configuration()
        guard case .object(let all)? = answer.body["overridesByAppleItemID"], case .object(let own)? = all["\(item)"],
            case .object(let places)? = own["license"]
        else { return #expect(Bool(false), "no overrides in \(answer.body)") }
        #expect(places["licenseRenewalURL"] == .string("https://mart.example/own/renewal"))
        var expected = Self.license(answer)
        expected["licenseRenewalURL"] = "https://mart.example/own/renewal"
        #expect(places == expected.mapValues { .string($0) })
        #expect(own["restore"] == answer.body["restore"] && own["updates"] == answer.body["updates"])

        let phone = Phone(shop)
        let body = try await phone.renewalBody([5])
        let renewed = await shop.vendor.post("/own/renewal", body)
        #expect(renewed.status == 200 && renewed.texts("ineligibleLicenses") == ["5"])
    }

    @Test func `an app's endpoint override may have its own polling interval`() async throws {
        let overrides = #""overrides": {"\#(GivenMart.item)": {"updates": {"pollingInterval": 96}}}"#
        let answer = await (try await Market.open(members: overrides)).configuration()
        guard case .object(let all)? = answer.body["overridesByAppleItemID"],
            case .object(let own)? = all["\(GivenMart.item)"], case .object(let updates)? = own["updates"]
        else { return #expect(Bool(false), "no overrides in \(answer.body)") }
        #expect(updates["pollingInterval"] == .integer(96))
    }

    @Test func `a configured path of the resolution page serves the page and is counted under the page's route`()
        async throws
    {
        let overrides = #""overrides": {"\#(GivenMart.item)": {"license": {"licenseResolutionURL": "/own/help"}}}"#
        let shop = try await Market.open(members: overrides)
        let query = "?account=ada&appleItemID=\(GivenMart.item)&appleVersionID=86001"
        let own = await shop.vendor.server.handler.respond(
            to: Request(method: "GET", path: "/own/help", query: String(query.dropFirst()), id: "r1"))
        let standard = await shop.vendor.server.handler.respond(
            to: Request(method: "GET", path: "/resolve/acme", query: String(query.dropFirst()), id: "r1"))
        #expect(own.status == 200 && own.headers["Content-Type"]?.hasPrefix("text/html") == true)
        #expect(own.body == standard.body)
        let metrics = await shop.vendor.text("/metrics")
        #expect(metrics.contains(#"route="/resolve/{tenant}""#) && !metrics.contains(#"route="none""#))
    }

    @Test func `an endpoint override's former path is still served for seven days after a change`() async throws {
        let shop = try await Market.open(members: #""overrides": {"1": {"restore": "/own/restore"}}"#)
        let body = #"{"apps": [{"appleItemId": 7, "appleVersionId": 1}], "platform": "iOS", "osVersion": "18"}"#
        #expect(await shop.vendor.post("/own/restore", body).code == "marketplace_not_ready")
        let members = #""access": "open", "overrides": {"1": {"restore": "/own/newer"}}"#
        try await shop.vendor.apply(GivenMart.catalog(members: members, accounts: ""))
        #expect(await shop.vendor.post("/own/newer", body).code == "marketplace_not_ready")
        #expect(await shop.vendor.post("/own/restore", body).code == "marketplace_not_ready")
        shop.clock.advance(seconds: 7 * 86_400 - 1)
        #expect(await shop.vendor.post("/own/restore", body).code == "marketplace_not_ready")
        #expect(await shop.vendor.post("/own/other", body).status == 404)
        shop.clock.advance(seconds: 1)
        #expect(await shop.vendor.post("/own/restore", body).status == 404)
        #expect(await shop.vendor.post("/own/newer", body).code == "marketplace_not_ready")
    }

    @Test func `apply lists each former path of an endpoint override once`() async throws {
        let shop = try await Market.open()
        func apply(_ overrides: String) async throws -> [String] {
            let members = #""access": "open", "overrides": \#(overrides)"#
            return try await shop.vendor.apply(GivenMart.catalog(members: members, accounts: ""))
                .filter { $0.verb == .note && !$0.detail.hasPrefix("overrides names") }.map(\.detail)
        }
        func former() async throws -> [String] {
            try await shop.vendor.store.catalog().tenants[GivenMart.tenant]?.marketplace?.formerPaths.map(\.path) ?? []
        }
        #expect(try await apply(#"{"1": {"restore": "/a", "updates": {"url": "https://o.example/u"}}}"#).isEmpty)
        let notes = try await apply(#"{"1": {"updates": {"url": "/b"}}}"#)
        #expect(notes.count == 1 && notes[0].hasPrefix("/a still answers for 7 days, until "))
        #expect(try await apply(#"{"1": {"updates": {"url": "/b"}}}"#).isEmpty)
        #expect(try await former() == ["/a"])
        shop.clock.advance(days: 3)
        #expect(try await apply("{}").count == 1)
        #expect(try await former() == ["/a", "/b"])
        shop.clock.advance(days: 5)
        #expect(try await apply(#"{"2": {"restore": "/b"}}"#).isEmpty)
        #expect(try await former().isEmpty)
    }

    @Test func `a certificate is cached as immutable only at its standard URL, which contains the key's id`()
        async throws
    {
        let overrides =
            #""overrides": {"1": {"license": {"signingCertificateURL": "/own/signing", "encryptionCertificateURL": "/own/encryption"}}}"#
        let shop = try await Market.open(members: overrides)
        for path in ["/own/signing", "/own/encryption"] {
            let answer = await shop.vendor.get(path)
            #expect(answer.status == 200 && answer.headers["Cache-Control"] == "public, max-age=300", "\(path)")
        }
        let standard = try #require(await Phone(shop).path("signingCertificateURL"))
        #expect(await shop.vendor.get(standard).headers["Cache-Control"] == "public, max-age=31536000, immutable")
    }

    @Test func `apply reports once that a marketplace without its own app id responds with marketplace_not_ready`()
        async throws
    {
        func notes(_ changes: [PlannedChange]) -> [String] {
            changes.filter { $0.verb == .note && $0.kind == "marketplace" }.map(\.detail)
        }
        func catalog(_ members: String...) -> String {
            GivenMart.catalog(members: ([#""access": "token""#] + members).joined(separator: ", "), accounts: "")
        }
        let vendor = try await Vendor(#"{"tenants": []}"#)
        let created = try await vendor.apply(catalog())
        #expect(notes(created).count == 1 && notes(created)[0].contains("marketplace_not_ready"))
        #expect(notes(try await vendor.apply(catalog(#""supportEmail": "help@mart.example""#))).isEmpty)
        #expect(notes(try await vendor.apply(catalog(#""appleItemID": "1000""#))).isEmpty)
        #expect(notes(try await vendor.apply(catalog())).count == 1)
    }

    @Test func `an endpoint override can't use the path of another tenant's override`() async throws {
        let overrides = #""access": "open", "overrides": {"1": {"restore": "/own/restore"}}"#
        let shop = try await Market.open(members: #""overrides": {"1": {"restore": "/own/restore"}}"#)
        let other = GivenMart.catalog(members: overrides, accounts: "")
            .replacing(#""id": "acme""#, with: #""id": "bolt""#).replacing("mart.example", with: "bolt.example")
        let error = await #expect(throws: ServerError.self) { try await shop.vendor.apply(other) }
        #expect(error?.message.contains("/own/restore is used by an override of acme already") == true)
    }

    @Test func `an endpoint override can't use another tenant's former override path for seven days`() async throws {
        let shop = try await Market.open(members: #""overrides": {"1": {"restore": "/own/restore"}}"#)
        try await shop.vendor.apply(GivenMart.catalog(members: #""access": "open""#, accounts: ""))
        let overrides = #""access": "open", "overrides": {"1": {"restore": "/own/restore"}}"#
        let other = GivenMart.catalog(members: overrides, accounts: "")
            .replacing(#""id": "acme""#, with: #""id": "bolt""#).replacing("mart.example", with: "bolt.example")
        shop.clock.advance(seconds: 7 * 86_400 - 1)
        let error = await #expect(throws: ServerError.self) { try await shop.vendor.apply(other) }
        #expect(error?.message.contains("/own/restore still answers for acme until") == true)
        shop.clock.advance(seconds: 1)
        try await shop.vendor.apply(other)
    }

    @Test func `an endpoint override's path can't move from one tenant to another within one catalog file`()
        async throws
    {
        let shop = try await Market.open(members: #""overrides": {"1": {"restore": "/own/restore"}}"#)
        let file = """
            {"tenants": [
              {"id": "acme", "name": "Acme", "marketplace": {"domain": "mart.example", "access": "open", "apps": []}},
              {"id": "bolt", "name": "Bolt", "marketplace": {"domain": "bolt.example", "access": "open", "apps": [],
                "overrides": {"1": {"restore": "/own/restore"}}}}]}
            """
        let error = await #expect(throws: ServerError.self) { try await shop.vendor.apply(file) }
        #expect(error?.message.contains("/own/restore still answers for acme until") == true)
    }

    @Test(arguments: [
        ("mart.example", 200), ("mart.example:443", 200), ("MART.example", 200), ("evil.example", 200), ("", 200),
    ]) func `a server's only marketplace responds to requests for any host name, with URLs of its own domain`(
        host: String, status: Int
    ) async throws {
        let answer = await (try await Market.open()).configuration(host: host)
        #expect(answer.status == status)
        #expect(Self.license(answer)["licenseRenewalURL"] == "https://mart.example/marketplace/acme/licenses/renew")
    }

    @Test func `with several marketplaces, a request for an unknown host gets 404, and one for a known domain doesn't`()
        async throws
    {
        let shop = try await Market(
            """
            {"tenants": [
              {"id": "acme", "name": "Acme", "marketplace": {"domain": "mart.example", "access": "open", "apps": []}},
              {"id": "bolt", "name": "Bolt", "marketplace": {"domain": "bolt.example", "access": "open", "apps": []}}]}
            """, keys: false)
        for (host, tenant) in [("mart.example", "acme"), ("bolt.example:8443", "bolt")] {
            // Without keys, a known host gets a 503. An unknown host gets a 404.
            #expect(await shop.configuration(host: host).status == 503, "\(tenant)")
        }
        #expect(await shop.configuration(host: "evil.example").status == 404)
    }

    @Test func `without signing keys, a marketplace's configuration and renewals get 503 marketplace_not_ready`()
        async throws
    {
        let shop = try await Market(
            GivenMart.catalog(members: #""access": "open""#, accounts: ""), keys: false)
        let renewal = #"{"renewalRequest": "AAAA", "licenseKey": "AAAA"}"#
        let answers = [
            await shop.configuration(), await shop.vendor.post("/marketplace/acme/licenses/renew", renewal),
        ]
        #expect(answers.map(\.status) == [503, 503])
        #expect(answers.map(\.code) == ["marketplace_not_ready", "marketplace_not_ready"])
        #expect(answers.allSatisfy { $0.headers["Retry-After"] != nil })
    }

    @Test func `the configured certificates are RSA-3072 in DER, and other certificate paths get 404`() async throws {
        let shop = try await Market.open()
        for location in ["signingCertificateURL", "encryptionCertificateURL"] {
            let path = try #require(await Phone(shop).path(location))
            let answer = await shop.vendor.get(path)
            #expect(answer.headers["Content-Type"] == "application/pkix-cert")
            #expect(try X509Certificate(answer.bytes).publicKey.modulusBits == 3072)
        }
        for name in ["0000000000000000.cer", "x.cer", "..%2f.cer", "a"] {
            #expect(await shop.vendor.get("/marketplace/acme/certificates/\(name)").status == 404)
        }
    }

    private static func license(_ answer: Answer) -> [String: String] {
        guard case .object(let places)? = answer.body["license"] else { return [:] }
        return places.compactMapValues { if case .string(let text) = $0 { text } else { nil } }
    }
}
