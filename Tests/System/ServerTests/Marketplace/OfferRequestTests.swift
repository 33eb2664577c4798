import TenureCore
import TenureCrypto
import TenureFormats
import TenureHTTP
import TenureServerKit
import TenureTesting
import Testing

@testable import TenureMarketplaceServer

/// The endpoints with which devices restore and update apps, and with which a marketplace app installs them.
@Suite struct OfferRequestTests {
    private static let own = #""appleItemID": "1000""#

    private static func shop(
        access: String = "token", members: String = own, package: String = "game-2"
    ) async throws -> Market {
        try await Market(
            GivenMart.catalog(
                members: #""access": "\#(access)""# + (members.isEmpty ? "" : ", \(members)"),
                apps: #"""
                    {"appleItemID": "6483539426", "package": "\#(package)", "shareURL": "https://mart.example/game",
                     "packageURL": "https://cdn.example/game"}
                    """#,
                accounts: ""))
    }

    private static func ask(
        _ shop: Market, _ location: String = "/marketplace/acme/restore", version: String = #""86002""#,
        system: String = "18.1", bearer: String? = nil
    ) async -> Answer {
        let body = """
            {"apps": [{"appleItemId": "6483539426", "appleVersionID": \(version)}, {"appleItemID": 7, "appleVersionId": 1}],
             "platform": "iOS", "osVersion": "\(system)", "more": true}
            """
        var headers: Headers = ["Content-Type": "application/json"]
        if let bearer { headers.add("Authorization", "Bearer \(bearer)") }
        return await shop.vendor.post(location, body, headers: headers)
    }

    private static func objects(_ answer: Answer, _ name: String) -> [[String: JSONValue]] {
        guard case .array(let values)? = answer.body[name] else { return [] }
        return values.compactMap { if case .object(let members) = $0 { members } else { nil } }
    }

    @Test func `a restored version has an install token that the marketplace's distribution key signed`()
        async throws
    {
        let shop = try await Self.shop()
        let bearer = try await shop.account()
        let answer = await Self.ask(shop, bearer: bearer)
        #expect(answer.status == 200)
        #expect(answer.headers["Cache-Control"] == "no-store")
        let restores = Self.objects(answer, "restores")
        #expect(restores.count == 1)
        let restored = try #require(restores.first)
        #expect(restored["appleItemId"] == .string("6483539426"))
        #expect(restored["appleVersionId"] == .string("86002"))
        #expect(restored["alternativeDistributionPackage"] == .string("https://cdn.example/game/86002"))
        #expect(restored["appShareURL"] == .string("https://mart.example/game"))
        guard case .string(let token)? = restored["installVerificationToken"] else { return #expect(Bool(false)) }
        let parts = token.split(separator: ".").map(String.init)
        let record = try #require(
            try await shop.vendor.store.marketplaceKeys().first { $0.purpose == .distribution })
        let key = try P256.PublicKey(der: record.certificate)
        let signature = try #require(Base64.decodeURL(parts[2]))
        #expect(key.isValidSignature(signature, for: Array("\(parts[0]).\(parts[1])".utf8)))
        let header = try FlatObject(scanning: try #require(Base64.decodeURL(parts[0])))
        #expect(header.names == ["alg", "kid", "typ"])
        #expect(header.string("kid").value == record.kid)
        #expect(ActivationID(text: record.kid) != nil)
        let payload = try FlatObject(scanning: try #require(Base64.decodeURL(parts[1])))
        #expect(payload.string("iss").value == "1000")
        #expect(payload.string("dtype").value == "redownload")
        #expect(payload.string("vid").value == "86002")
        #expect(payload.integer("exp").value == shop.now.seconds + 600)
        let failures = Self.objects(answer, "failures")
        #expect(failures.count == 1)
        guard case .object(let failure)? = failures.first?["failure"] else { return #expect(Bool(false)) }
        #expect(failure["code"] == .integer(404))
        #expect(failure["reason"] == .string("app_unknown"))
    }

    /// The installed version, the system, and the offered version.
    @Test(
        arguments: [
            ("0", "18.1", "86002"), (#""86001""#, "18.1", "86002"), ("86002", "18.1", nil), ("86001", "17.3", nil),
        ] as [(String, String, String?)])
    func `the update endpoint offers only a newer version that the device's system supports`(
        installed: String, system: String, offered: String?
    ) async throws {
        let shop = try await Self.shop(access: "open")
        let answer = await Self.ask(shop, "/marketplace/acme/updates", version: installed, system: system)
        #expect(answer.status == 200)
        let updates = Self.objects(answer, "updates")
        #expect(updates.map { $0["appleVersionId"] } == (offered.map { [.string($0)] } ?? []))
        if offered != nil {
            #expect(updates.first?["shortVersionString"] == .string("1.2"))
            #expect(updates.first?["bundleVersion"] == .string("102"))
        }
        #expect(Self.objects(answer, "failures").count == 1)
    }

    @Test func `a held app version isn't offered to devices until it is released`() async throws {
        let shop = try await Self.shop(access: "open")
        let context = FeatureContext(shop.vendor.store, clock: shop.vendor.clock)
        let version = try #require(AppleVersionID(text: "86002"))
        #expect(
            try await context.holdVersions(GivenMart.item, version, of: GivenMart.tenant, isHeld: true)
                == .changed([version]))
        #expect(try await context.holdVersions(GivenMart.item, nil, of: GivenMart.tenant, isHeld: true) == .changed([]))
        let held = await Self.ask(shop)
        guard case .object(let failure)? = Self.objects(held, "failures").first?["failure"] else {
            return #expect(Bool(false))
        }
        #expect(failure["reason"] == .string("version_held"))
        #expect(Self.objects(await Self.ask(shop, "/marketplace/acme/updates", version: "0"), "updates").isEmpty)
        // Applying the catalog again doesn't release a version.
        try await shop.vendor.apply(
            GivenMart.catalog(
                members: #""access": "open", \#(Self.own)"#,
                apps: #"{"appleItemID": "6483539426", "package": "game-2", "packageURL": "https://cdn.example/game"}"#,
                accounts: ""))
        #expect(Self.objects(await Self.ask(shop), "restores").isEmpty)
        #expect(
            try await context.holdVersions(GivenMart.item, version, of: GivenMart.tenant, isHeld: false)
                == .changed([version]))
        #expect(Self.objects(await Self.ask(shop), "restores").count == 1)
        let other = try #require(AppleVersionID(text: "5"))
        #expect(
            try await context.holdVersions(GivenMart.item, other, of: GivenMart.tenant, isHeld: true) == .versionUnknown
        )
    }

    @Test func `a restore gets status 402 only if every requested app's subscription has ended`() async throws {
        let shop = try await Self.shop()
        let bearer = try await shop.account(until: shop.now.adding(days: 1))
        shop.clock.advance(seconds: 2 * 86_400)
        #expect(await Self.ask(shop, bearer: bearer).status == 200)
        let body = """
            {"apps": [{"appleItemId": "6483539426", "appleVersionId": 86002}], "platform": "iPadOS", "osVersion": "18"}
            """
        let answer = await shop.vendor.post(
            "/marketplace/acme/restore", body,
            headers: ["Content-Type": "application/json", "Authorization": "Bearer \(bearer)"])
        #expect(answer.status == 402)
        #expect(answer.text("code") == "subscription_expired")
    }

    @Test func `a marketplace with accounts refuses a restore without a valid token`() async throws {
        let shop = try await Self.shop()
        #expect(await Self.ask(shop).status == 401)
        #expect(await Self.ask(shop, bearer: "x").status == 403)
    }

    @Test func `a restore at a marketplace without its own app gets 503`() async throws {
        let bare = try await Self.shop(access: "open", members: "")
        let answer = await Self.ask(bare)
        #expect(answer.status == 503)
        #expect(answer.text("code") == "marketplace_not_ready")
    }

    @Test func `an install token request with only one of platform and system version gets 400`() async throws {
        let shop = try await Self.shop(access: "open")
        for (members, status) in [
            (#", "platform": "iOS""#, 400), (#", "osVersion": "18""#, 400),
            (#", "platform": "iOS", "osVersion": "18""#, 200), ("", 200),
        ] {
            let answer = await shop.vendor.post(
                "/marketplace/acme/install-token", #"{"appleItemID": "6483539426"\#(members)}"#,
                headers: ["Content-Type": "application/json"])
            #expect(answer.status == status, "\(members)")
        }
    }

    @Test func `an app that is requested twice gets the same token in both updates`() async throws {
        let shop = try await Self.shop(access: "open")
        let answer = await shop.vendor.post(
            "/marketplace/acme/updates",
            """
            {"apps": [{"appleItemId": "6483539426", "appleVersionId": 1}, {"appleItemId": "6483539426", "appleVersionId": 2}],
             "platform": "iOS", "osVersion": "18"}
            """, headers: ["Content-Type": "application/json"])
        let tokens = Self.objects(answer, "updates").map { $0["installVerificationToken"] }
        #expect(tokens.count == 2 && Set(tokens).count == 1)
    }

    /// A request body, and the path of its error.
    @Test(arguments: [
        (#"{"platform": "iOS", "osVersion": "17"}"#, "apps"),
        (#"{"apps": [], "platform": "iOS", "osVersion": "17"}"#, "apps"),
        (#"{"apps": [1], "platform": "iOS", "osVersion": "17"}"#, "apps/0"),
        (
            #"{"apps": [{"appleItemId": "x", "appleVersionId": 1}], "platform": "iOS", "osVersion": "17"}"#,
            "apps/0/appleItemId"
        ),
        (#"{"apps": [{"appleItemId": 1}], "platform": "iOS", "osVersion": "17"}"#, "apps/0/appleVersionId"),
        (
            #"{"apps": [{"appleItemId": 1, "appleItemID": 2, "appleVersionId": 1}], "platform": "iOS", "osVersion": "17"}"#,
            "apps/0/appleItemId"
        ),
        (
            #"{"apps": [{"appleItemId": 1, "appleVersionId": 1, "appleVersionID": "2"}], "platform": "iOS", "osVersion": "17"}"#,
            "apps/0/appleVersionId"
        ),
        (
            #"{"apps": [{"appleItemId": 1, "appleItemID": [], "appleVersionId": 1}], "platform": "iOS", "osVersion": "17"}"#,
            "apps/0/appleItemId"
        ),
        (#"{"apps": [{"appleItemId": 1, "appleVersionId": 1}], "platform": "tvOS", "osVersion": "17"}"#, "platform"),
        (#"{"apps": [{"appleItemId": 1, "appleVersionId": 1}], "platform": "iOS", "osVersion": "17.x"}"#, "osVersion"),
    ])
    func `the error about a malformed updates request names the location of the invalid member`(
        body: String, location: String
    )
        async throws
    {
        let shop = try await Self.shop(access: "open")
        let answer = await shop.vendor.post(
            "/marketplace/acme/updates", body, headers: ["Content-Type": "application/json"])
        #expect(answer.status == 400)
        #expect(answer.text("detail")?.contains(location) == true, "\(answer.body)")
    }

    @Test func `an updates request may spell an id's member name both with Id and with ID if the values are equal`()
        async throws
    {
        let shop = try await Self.shop(access: "open")
        let answer = await shop.vendor.post(
            "/marketplace/acme/updates",
            """
            {"apps": [{"appleItemId": "6483539426", "appleItemID": 6483539426, "appleVersionId": 1, "appleVersionID": "1"}],
             "platform": "iOS", "osVersion": "18"}
            """, headers: ["Content-Type": "application/json"])
        #expect(answer.status == 200 && Self.objects(answer, "updates").count == 1)
    }

    @Test func `an updates request may name up to 500 apps`() async throws {
        let shop = try await Self.shop(access: "open")
        for (count, status) in [(500, 200), (501, 400)] {
            let apps = (1...count).map { #"{"appleItemId": "\#($0)", "appleVersionId": "1"}"# }.joined(separator: ",")
            let answer = await shop.vendor.post(
                "/marketplace/acme/updates", #"{"apps": [\#(apps)], "platform": "iOS", "osVersion": "17"}"#,
                headers: ["Content-Type": "application/json"])
            #expect(answer.status == status)
        }
    }

    @Test func `an install token request gets the token with version, package and end, or the reason for its refusal`()
        async throws
    {
        let shop = try await Self.shop()
        let bearer = try await shop.account()
        func send(_ body: String, _ bearer: String) async -> Answer {
            await shop.vendor.post(
                "/marketplace/acme/install-token", body,
                headers: ["Content-Type": "application/json", "Authorization": "Bearer \(bearer)"])
        }
        let answer = await send(#"{"appleItemID": "6483539426"}"#, bearer)
        #expect(answer.status == 200)
        #expect(answer.text("appleVersionID") == "86002")
        #expect(answer.text("alternativeDistributionPackage") == "https://cdn.example/game/86002")
        #expect(answer.text("expiresAt") == shop.now.adding(seconds: 600).description)
        let token = try #require(answer.text("installVerificationToken"))
        let payload = try #require(Base64.decodeURL(String(token.split(separator: ".")[1])))
        #expect(try FlatObject(scanning: payload).string("dtype").value == "download")
        let old = await send(#"{"appleItemID": "6483539426", "platform": "iOS", "osVersion": "15"}"#, bearer)
        #expect(old.status == 404)
        #expect(old.text("code") == "system_too_old")
        let poor = try await shop.account("bob", granting: [])
        let refused = await send(#"{"appleItemID": "6483539426"}"#, poor)
        #expect(refused.status == 402)
        #expect(refused.text("code") == "purchase_required")
    }
}
