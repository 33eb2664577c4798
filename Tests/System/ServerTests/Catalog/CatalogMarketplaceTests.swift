import TenureCore
import TenureLicensingServer
import TenureMarketplace
import TenureMarketplaceServer
import TenureServerKit
import TenureTesting
import Testing

@Suite struct CatalogMarketplaceTests {
    /// A member of the marketplace, the reported path, and words of the message.
    @Test(arguments: [
        (#""colour": 1"#, "/colour", "unknown field"),
        (#""content": {}"#, "/content", "unknown field"),
        (#""domain": "https://market.example""#, "/domain", "without https://"),
        (#""domain": "market.example/kit""#, "/domain", "without a path"),
        (#""domain": "market.example:8443""#, "/domain", "without a port"),
        (#""domain": "Market.example""#, "/domain", "lower case"),
        (#""domain": "market_place.example""#, "/domain", "a host name such as"),
        (#""domain": "-market.example""#, "/domain", "a host name such as"),
        (#""domain": ".example""#, "/domain", "a host name such as"),
        (#""domain": """#, "/domain", "a host name such as"),
        (#""domain": null"#, "/domain", "must be a string"),
        (#""appleItemID": 6497405838"#, "/appleItemID", "as a string"),
        (#""appleItemID": "0""#, "/appleItemID", "as a string"),
        (#""appleItemID": "9223372036854775808""#, "/appleItemID", "as a string"),
        (#""bundleID": "com example""#, "/bundleID", "bundle id"),
        (#""pollingIntervalHours": 0"#, "/pollingIntervalHours", "hours from 24 to 8760"),
        (#""pollingIntervalHours": -24"#, "/pollingIntervalHours", "hours from 24 to 8760"),
        (#""pollingIntervalHours": 23"#, "/pollingIntervalHours", "hours from 24 to 8760"),
        (#""pollingIntervalHours": 43200"#, "/pollingIntervalHours", "the unit isn't seconds"),
        (#""pollingIntervalHours": "24""#, "/pollingIntervalHours", "hours from 24 to 8760"),
        (#""pollingIntervalHours": 24.5"#, "/pollingIntervalHours", "hours from 24 to 8760"),
        (#""access": "closed""#, "/access", "\"open\""),
        (#""resolutionPage": "yes""#, "/resolutionPage", "true or false"),
        (#""supportEmail": "help""#, "/supportEmail", "e-mail"),
        (#""supportEmail": "a@b@c""#, "/supportEmail", "e-mail"),
        (#""apps": {}"#, "/apps", "must be an array"),
    ])
    func `an invalid member of a marketplace in a catalog file is reported with its JSON pointer`(
        member: String, location: String, words: String
    ) {
        let problems = Self.problems(Self.marketplace(member))
        #expect(problems.map(\.pointer) == ["/tenants/0/marketplace" + location])
        #expect(problems.first?.message.contains(words) == true, "\(problems)")
    }

    @Test(arguments: [
        (#"{}"#, "/0", "needs an \"appleItemID\""),
        (#"{"appleItemID": "x"}"#, "/0/appleItemID", "Apple item id"),
        (#"{"appleItemID": "1", "versions": []}"#, "/0/versions", "unknown field"),
        (#"{"appleItemID": "1"}, {"appleItemID": "1"}"#, "/1", "listed twice"),
        (#"{"appleItemID": "1", "shareURL": "http://market.example/1"}"#, "/0/shareURL", "plain http"),
        (#"{"appleItemID": "1", "shareURL": "https:///1"}"#, "/0/shareURL", "name a host"),
        (#"{"appleItemID": "1", "packageURL": "packages/1"}"#, "/0/packageURL", "absolute URL"),
        (#"{"appleItemID": "1", "packageURL": "https://cdn.example/a b"}"#, "/0/packageURL", "white space"),
        (#"{"appleItemID": "1", "withdrawn": 1}"#, "/0/withdrawn", "true or false"),
        (#"{"appleItemID": "1", "package": "nowhere"}"#, "/0/package", "is not there"),
        (#"{"appleItemID": "1", "package": "game-1"}"#, "/0/package", "6483539426, not of 1"),
        (#"{"appleItemID": "1", "package": "page"}"#, "/0/package", "must be a JSON object"),
        (#"{"appleItemID": "6483539426", "package": "blobs"}"#, "/0/package", "in base64"),
        (
            #"{"appleItemID": "6483539426", "bundleID": "com.other", "package": "game-1"}"#, "/0/bundleID",
            "must be com.example.game"
        ),
        (license(#""durationDays": 0"#), "/0/license/durationDays", "null for licenses that never expire"),
        (license(#""durationDays": -1"#), "/0/license/durationDays", "from 1 to 3650"),
        (license(#""durationDays": 1e30"#), "/0/license/durationDays", "from 1 to 3650"),
        (license(#""jitterPercent": 51"#), "/0/license/jitterPercent", "from 0 to 50"),
        (license(#""jitterPercent": -1"#), "/0/license/jitterPercent", "from 0 to 50"),
        (license(#""deviceLimit": 0"#), "/0/license/deviceLimit", "from 1 to 1000"),
        (license(#""deviceLimit": 1001"#), "/0/license/deviceLimit", "from 1 to 1000"),
        (license(#""revokeOnTakedown": null"#), "/0/license/revokeOnTakedown", "true or false"),
        (license(#""renewAfterExpiryDays": -1"#), "/0/license/renewAfterExpiryDays", "from 0 to 3650"),
        (license(#""renewAheadDays": 27"#), "/0/license/renewAheadDays", "(27 days)"),
        (license(#""graceDays": 3"#), "/0/license/graceDays", "unknown field"),
    ])
    func `an invalid app in a catalog file is reported with the JSON pointer of its faulty member`(
        apps: String, location: String, words: String
    ) {
        let problems = Self.problems(Self.marketplace(#""apps": [\#(apps)]"#))
        #expect(problems.map(\.pointer) == ["/tenants/0/marketplace/apps" + location])
        #expect(problems.first?.message.contains(words) == true, "\(problems)")
    }

    @Test(arguments: [
        (#"{"game": {}}"#, "/game", "appleItemID"),
        (#"{"1": []}"#, "/1", "must be an object"),
        (#"{"1": {"search": "/x"}}"#, "/1/search", "unknown field"),
        (#"{"1": {"license": {"renewalURL": "/x"}}}"#, "/1/license/renewalURL", "unknown field"),
        (#"{"1": {"updates": {"pollingInterval": 23}}}"#, "/1/updates/pollingInterval", "hours from 24 to 8760"),
        (#"{"1": {"updates": {"pollingInterval": "24"}}}"#, "/1/updates/pollingInterval", "hours from 24 to 8760"),
        (#"{"1": {"restore": "http://other.example/restore"}}"#, "/1/restore", "plain http"),
        (#"{"1": {"restore": "restore"}}"#, "/1/restore", "starts with /"),
        (#"{"1": {"restore": "/"}}"#, "/1/restore", "between single slashes"),
        (#"{"1": {"restore": "/a//b"}}"#, "/1/restore", "between single slashes"),
        (#"{"1": {"restore": "/a/../b"}}"#, "/1/restore", "between single slashes"),
        (#"{"1": {"restore": "/a?b"}}"#, "/1/restore", "between single slashes"),
        (#"{"1": {"restore": "/v1/acme/licenses"}}"#, "/1/restore", "reserved by the server"),
        (#"{"1": {"restore": "/health"}}"#, "/1/restore", "reserved by the server"),
        (#"{"1": {"restore": "/.well-known/marketplace-kit"}}"#, "/1/restore", "reserved by the server"),
        (#"{"1": {"restore": "/marketplace/acme/restore"}}"#, "/1/restore", "reserved by the server"),
        (#"{"1": {"restore": "/acme/notes/validate"}}"#, "/1/restore", "reserved by the server"),
        (#"{"1": {"restore": "/acme/.well-known/keylight-keys"}}"#, "/1/restore", "reserved by the server"),
        (#"{"1": {"restore": "/g"}, "2": {"updates": {"url": "/g"}}}"#, "/2/updates/url", "restore already"),
    ]) func `an invalid endpoint override in a catalog file is reported with its JSON pointer`(
        overrides: String, location: String, words: String
    ) {
        let problems = Self.problems(Self.marketplace(#""overrides": \#(overrides)"#))
        #expect(problems.map(\.pointer) == ["/tenants/0/marketplace/overrides" + location])
        #expect(problems.first?.message.contains(words) == true, "\(problems)")
    }

    @Test(arguments: [
        (#"{}"#, "/0", "needs an \"id\""),
        (#"{"id": ""}"#, "/0/id", "1 to 128 bytes"),
        (#"{"id": 7}"#, "/0/id", "must be a string"),
        (#"{"id": "a\u0000"}"#, "/0/id", "control characters"),
        (#"{"id": "ada", "password": "x"}"#, "/0/password", "unknown field"),
        (#"{"id": "ada", "email": "ada"}"#, "/0/email", "e-mail"),
        (#"{"id": "ada", "email": "a\u200Bda@mart.example"}"#, "/0/email", "invisible"),
        (#"{"id": "ada", "email": "ada@mart\u00AD.example"}"#, "/0/email", "invisible"),
        (#"{"id": "ada", "email": "ada\uFE0F@mart.example"}"#, "/0/email", "invisible"),
        (#"{"id": "ada", "apps": ["7"]}"#, "/0/apps/0", "has no such app"),
        (#"{"id": "ada", "apps": ["1", "1"]}"#, "/0/apps/1", "granted twice"),
        (#"{"id": "ada", "expiresAt": "soon"}"#, "/0/expiresAt", "must be a date"),
        (#"{"id": "ada"}, {"id": "ada"}"#, "/1", "listed twice"),
    ])
    func `an invalid account in a catalog file is reported with the JSON pointer of its faulty member`(
        accounts: String, location: String, words: String
    ) {
        let problems = Self.problems(
            Self.marketplace(#""apps": [{"appleItemID": "1"}], "accounts": [\#(accounts)]"#))
        #expect(problems.map(\.pointer) == ["/tenants/0/marketplace/accounts" + location])
        #expect(problems.first?.message.contains(words) == true, "\(problems)")
    }

    @Test func `a marketplace must have a domain that no other marketplace has`() {
        #expect(
            Self.problems(#"{"tenants": [{"id": "a", "marketplace": {}}]}"#).map(\.pointer) == [
                "/tenants/0/marketplace"
            ])
        let twice = """
            {"tenants": [{"id": "a", "marketplace": {"domain": "m.example"}},
                         {"id": "b", "marketplace": {"domain": "m.example"}}]}
            """
        #expect(Self.problems(twice).map(\.pointer) == ["/tenants/1"])
    }

    @Test func `the endpoint overrides of two tenants can't use the same path`() {
        func tenant(_ id: String, _ path: String) -> String {
            #"""
            {"id": "\#(id)", "marketplace": {"domain": "\#(id).example", "overrides": {"1": {"restore": "\#(path)"}}}}
            """#
        }
        let same = Self.problems(#"{"tenants": [\#(tenant("a", "/g")), \#(tenant("b", "/g"))]}"#)
        #expect(same.map(\.pointer) == ["/tenants/1/marketplace/overrides/1/restore"])
        #expect(same.first?.message.contains("tenant a") == true)
        #expect(Self.problems(#"{"tenants": [\#(tenant("a", "/g")), \#(tenant("b", "/h"))]}"#).isEmpty)
    }

    /// Aliases of a marketplace at `mart.example`, the location of the fault, and a word of the message.
    @Test(
        arguments: [
            (#"["https://a.example"]"#, "/0", "without https"), (#"["a.example", "a.example"]"#, "/1", "twice"),
            (#"["mart.example"]"#, "/0", "twice"), (#"[7]"#, "/0", "must be a string"), (#""a.example""#, "", "array"),
        ])
    func `a marketplace's aliases are refused unless they are a list of distinct host names other than its domain`(
        aliases: String, location: String, why: String
    ) {
        let problems = Self.problems(
            #"{"tenants": [{"id": "a", "marketplace": {"domain": "mart.example", "aliases": \#(aliases)}}]}"#)
        #expect(problems.map(\.pointer) == ["/tenants/0/marketplace/aliases" + location])
        #expect(problems.first?.message.contains(why) == true)
    }

    @Test(arguments: ["accounts", "app-licenses"])
    func `a product can't have an id that the operator API uses as a path`(
        id: String
    ) {
        let text = #"{"tenants": [{"id": "a", "products": [{"id": "\#(id)"}]}]}"#
        #expect(Self.problems(text).map(\.pointer) == ["/tenants/0/products/0/id"])
    }

    @Test func `an omitted member of a marketplace gets its default`() throws {
        let file = try FeatureSet.tenure.catalogFile(
            parsing: Array(#"{"tenants": [{"id": "a", "marketplace": {"domain": "m"}}]}"#.utf8))
        #expect(file.tenants[0].marketplace == Marketplace(name: "a", domain: "m"))
        let app = try Self.app(#"{"appleItemID": "1"}"#)
        #expect(app == MarketplaceApp(item: AppleItemID(number: 1)!))
    }

    @Test func `a marketplace in a catalog file is read with its apps, overrides and accounts`() throws {
        let text = """
            {"tenants": [{"id": "acme", "name": "Acme", "marketplace": {
              "name": "Mart", "domain": "127.0.0.1", "appleItemID": "6497405838", "bundleID": "com.example.market",
              "pollingIntervalHours": 48, "access": "token", "resolutionPage": false, "supportEmail": "help@mart.example",
              "overrides": {"6497405838": {"restore": "/mart/restore", "updates": {"url": "https://o.example/u"},
                "license": {"licenseRenewalURL": "/mart/renew"}}},
              "apps": [{"appleItemID": "6483539426", "name": "Game", "package": "game-1", "withdrawn": true,
                "packageURL": "https://cdn.example/g", "shareURL": "https://mart.example:444/g?x=%20",
                "license": {"durationDays": null, "jitterPercent": 0, "deviceLimit": null, "revokeOnTakedown": true,
                            "renewAfterExpiryDays": null, "renewAheadDays": 30}}],
              "accounts": [{"id": "ada", "email": "ada@mart.example", "apps": ["6483539426"], "expiresAt": null}]
            }}]}
            """
        let file = try FeatureSet.tenure.catalogFile(parsing: Array(text.utf8), files: GivenPackages())
        let market = try #require(file.tenants[0].marketplace)
        let own = try #require(AppleItemID(text: "6497405838"))
        let game = try #require(AppleItemID(text: "6483539426"))
        var expected = Marketplace(
            name: "Mart", domain: "127.0.0.1", appleItemID: own, bundleID: "com.example.market",
            pollingIntervalHours: 48, access: .token, resolutionPage: false, supportEmail: "help@mart.example")
        expected.overrides = [
            own: [
                "restore": "/mart/restore", "updates.url": "https://o.example/u",
                "license.licenseRenewalURL": "/mart/renew",
            ]
        ]
        let version = AppVersion(
            id: AppleVersionID(number: 86001)!, shortVersion: "1.1", bundleVersion: "101",
            lowestSystems: [.iOS: SystemVersion("17.4")!], downloadBytes: 10...10)
        expected.apps[game] = MarketplaceApp(
            item: game, bundleID: "com.example.game", name: "Game", shareURL: "https://mart.example:444/g?x=%20",
            packageURL: "https://cdn.example/g", isDelisted: true,
            rules: AppLicense.Rules(
                durationDays: nil, jitterPercent: 0, deviceLimit: nil, revokeOnTakedown: true,
                renewAfterExpiryDays: nil, renewAheadDays: 30, deviceChanges: nil),
            versions: [version.id: version])
        #expect(market == expected)
        #expect(file.listed(PackageSpec.self).map(\.assets.count) == [2])
        #expect(file.listed(AccountSpec.self).map(\.ref.description) == ["acme/ada"])
        #expect(file.listed(AccountSpec.self)[0].apps == [game])
        #expect(file.listed(AccountSpec.self)[0].terms == [.end(nil)])
    }

    /// The duration in days, the jitter in percent, and the resulting default of `renewAheadDays`.
    @Test(arguments: [(30, 10, 7), (14, 0, 7), (10, 10, 4), (10, 50, 2), (1, 0, 0)])
    func `by default an app license is due for renewal 7 days, but at most half its shortest term, before it ends`(
        days: Int, jitter: Int, ahead: Int
    ) throws {
        let app = try Self.app(Self.license(#""durationDays": \#(days), "jitterPercent": \#(jitter)"#))
        #expect(app.rules.renewAheadDays == ahead)
    }

    private static func marketplace(_ member: String) -> String {
        let domain = member.contains(#""domain""#) ? "" : #""domain": "m.example", "#
        return #"{"tenants": [{"id": "acme", "marketplace": {\#(domain)\#(member)}}]}"#
    }

    private static func license(_ member: String) -> String {
        #"{"appleItemID": "1", "license": {\#(member)}}"#
    }

    private static func app(_ text: String) throws -> MarketplaceApp {
        let file = try FeatureSet.tenure.catalogFile(parsing: Array(marketplace(#""apps": [\#(text)]"#).utf8))
        return try #require(file.tenants[0].marketplace?.apps.values.first)
    }

    private static func problems(_ text: String) -> [CatalogFileError.Problem] {
        let packages = GivenPackages([
            "game-1": .game(version: 1), "page": PackageFiles(manifest: Array("<html>".utf8)),
            "blobs": .game(version: 1, keyBlobs: #"{"00000001-0000-4000-8000-000000000001": "?"}"#),
        ])
        do throws(CatalogFileError) {
            _ = try FeatureSet.tenure.catalogFile(parsing: Array(text.utf8), files: packages)
            return []
        } catch {
            return error.problems
        }
    }
}
