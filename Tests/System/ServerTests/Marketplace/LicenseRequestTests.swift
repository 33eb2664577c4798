import TenureCore
import TenureCrypto
import TenureFormats
import TenureLicensingServer
import TenureMarketplace
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

@testable import TenureMarketplaceServer

/// The limits and formats of license requests, and the reasons for which apps are refused.
@Suite struct LicenseRequestTests {
    @Test(arguments: [1, 2, 50, 200]) func `up to 200 apps are licensed in one response`(count: Int)
        async throws
    {
        let shop = try await Self.shop(apps: count)
        let wishes = (1...UInt64(count)).map { Phone.Wish(item: $0) }
        let phone = Phone(shop)
        let answer = try await phone.send(wishes)
        let licenses = try await phone.read(answer)
        #expect(Set(licenses.flatMap(\.appKeys).map(\.appleItemID)) == Set(wishes.map(\.item)))
        #expect(Set(licenses.map(\.licenseID)).count == count)
        #expect(answer.body["unlicensedApps"] == .array([]))
        #expect(try await shop.events().count { $0.kind == .appLicenseIssued } == count)
    }

    @Test func `a license request for more than 200 apps is refused as a whole`() async throws {
        let shop = try await Market.open()
        let answer = try await Phone(shop).send((1...201).map { Phone.Wish(item: $0) })
        #expect(answer.status == 400 && answer.code == "field_invalid")
        #expect(try await shop.licenses().isEmpty)
        #expect(try await shop.reasons().isEmpty)
    }

    @Test func `an app with an unusable key blob is refused with an event, and other apps are licensed`() async throws {
        let shop = try await Self.shop(apps: 3)
        let assets = try await shop.vendor.store.all(AppAsset.ofTenant, [.of(GivenMart.tenant)])
        for broken in assets where broken.ref.item.number == 2 {
            let empty = AppAsset(
                tenant: broken.tenant, ref: broken.ref, kind: broken.kind, keyBlob: [], isSimulated: true)
            try await shop.vendor.save([.replace(broken, by: empty)])
        }
        let phone = Phone(shop)
        let wishes = [1, 2, 3].map { Phone.Wish(item: $0) }
        let answer = try await phone.send(wishes)
        #expect(try await phone.read(answer).count == 2 && answer.texts("unlicensedApps") == ["2"])
        let stored = try await shop.licenses()
        #expect(stored.filter { $0.failedAt != nil }.map(\.item.number) == [2])
        let renewed = try await phone.renew(stored.map { UInt64($0.id.number) })
        #expect(try await phone.read(renewed).count == 2 && renewed.texts("ineligibleLicenses").count == 1)
        // A request for this app alone is refused as well.
        #expect(try await phone.send([wishes[1]]).texts("unlicensedApps") == ["2"])
        #expect(try await shop.reasons() == ["app_key_unusable", "license_returned", "app_key_unusable"])
    }

    @Test func `an app license that couldn't be written isn't counted for the device limit, nor issued by a retry`()
        async throws
    {
        let shop = try await Market.withAccounts(#""deviceLimit": 1"#)
        let token = try await shop.account()
        try await Self.breakKeys(of: GivenMart.item, at: shop)
        let phone = Phone(shop, token: token)
        #expect(try await phone.send(request: 5).texts("unlicensedApps") == ["\(GivenMart.item)"])
        #expect(try await shop.licenses().map(\.recordedState) == [.returned])
        try await Self.mendKeys(of: GivenMart.item, at: shop)
        let other = Phone(shop, id: 2, token: token)
        let id = try await other.install()
        #expect(try await phone.send(request: 5).texts("unlicensedApps") == ["\(GivenMart.item)"])
        try await shop.act(.revoke, on: id)
        _ = try await phone.install()
    }

    @Test func `an update whose license couldn't be written keeps the earlier license current`() async throws {
        let shop = try await Market.withAccounts(#""deviceLimit": 1"#)
        let phone = Phone(shop, token: try await shop.account())
        let id = try await phone.install()
        try await Self.breakKeys(of: GivenMart.item, at: shop)
        #expect(try await phone.send().texts("unlicensedApps") == ["\(GivenMart.item)"])
        #expect(try await shop.license(id).isReplaced == false)
        #expect(try await shop.licenses().filter { $0.isDeviceActive(at: shop.now) }.map(\.id.number) == [Int64(id)])
        #expect(try await phone.renew([id]).texts("ineligibleLicenses") == ["\(id)"])
        #expect(try await shop.reasons() == ["app_key_unusable", "app_key_unusable"])
        try await Self.mendKeys(of: GivenMart.item, at: shop)
        #expect(try await phone.read(try await phone.renew([id])).map(\.licenseID) == [id])
    }

    @Test func `sixty app licenses a minute that can't be written get an event each, and further ones share one`()
        async throws
    {
        let shop = try await Market.open()
        let refused = RefusedApps(store: ServerStore(shop.vendor.store), clock: shop.clock)
        let context = MarketplaceContext(
            catalog: try await CatalogCache(store: shop.vendor.store, master: shop.vendor.master), clock: shop.clock,
            pool: nil)
        let licenses = (1...70).map { GivenMart.license($0, device: UInt8($0), account: nil, from: shop.now) }
        try await shop.vendor.save(licenses.map { .insert($0) })
        let key = Digest.sha256(of: "key")
        try await context.takeBackIssued(
            licenses.map { (.init(id: $0.id, item: $0.item, key: key), .new(replacing: [])) }, of: GivenMart.tenant,
            limit: refused)
        #expect(try await shop.licenses().allSatisfy { $0.recordedState == .returned })
        #expect(try await shop.reasons().count == 60)
        try await refused.finish()
        #expect(try await shop.reasons().count == 61)
        let requester = AppLicense.Requester(
            tenant: GivenMart.tenant, account: nil, device: .sha256(of: "phone"), request: 1)
        let renewed = (101...170).map { GivenMart.license($0, device: UInt8($0), account: nil, from: shop.now) }
        try await shop.vendor.save(renewed.map { .insert($0) })
        try await context.takeBackRenewed(
            renewed.map { (.init(id: $0.id, item: $0.item, key: key), nil) }, for: requester, limit: refused)
        #expect(try await shop.licenses().count { $0.failedKey == key } == 140)
        #expect(try await shop.reasons().count == 61, "the minute's individual events are used up")
    }

    @Test(arguments: [true, false]) func `a license request for an app whose grant has ended gets status 402`(
        isOver: Bool
    ) async throws {
        let shop = try await Market.withAccounts()
        let end = isOver ? shop.now.adding(days: 1) : nil
        let phone = Phone(shop, token: try await shop.account(until: end))
        let id = try await phone.install()
        shop.clock.advance(days: 1)
        if !isOver { try await shop.changeGrant { $0.end(by: .operator("test"), at: shop.now) } }
        let code = isOver ? "app_grant_expired" : "app_grant_ended"
        let answer = try await phone.send()
        #expect(answer.status == 402 && answer.code == code)
        #expect(try await shop.reasons() == [code], "the refusal is recorded")
        // A renewal lists the license as ineligible. Together with an app that is refused for another reason, the app
        // is listed with status 200.
        #expect(try await phone.renew([id]).texts("ineligibleLicenses") == ["\(id)"])
        let mixed = try await phone.send([.game, Phone.Wish(item: 7)])
        #expect(mixed.status == 200 && mixed.texts("unlicensedApps").count == 2)
        let sealedMore = try await phone.send([.game], sealing: [Phone.Wish.game.item, 7])
        #expect(sealedMore.status == 200 && sealedMore.texts("unlicensedApps").count == 2)
    }

    @Test func `a license request that is refused for a reason other than an ended grant gets status 200`() async throws
    {
        let shop = try await Market.withAccounts()
        let never = Phone(shop, token: try await shop.account("bob", granting: []))
        #expect(try await never.send().status == 200)
        let phone = Phone(shop, token: try await shop.account())
        try await shop.changeGrant { $0.end(by: .operator("test"), at: shop.now) }
        let unknownVersion = Phone.Wish(version: #""appleVersionId": "1""#)
        #expect(try await phone.send([unknownVersion]).texts("unlicensedApps").count == 1)
    }

    @Test(arguments: [
        #""appleVersionId": "86001""#, #""appleVersionId": 86001"#, #""appleVersionID": "86001""#,
        #""appleVersionID": 86001"#, #""appleVersionId": "86001", "appleVersionID": 86001"#,
        #""appleVersionId": "86001", "appleVersionID": null"#,
        #""colour": {"deep": [1]}, "appleVersionId": "86001""#,
    ]) func `an app version id is accepted as a string or a number, under a member name with Id or ID`(version: String)
        async throws
    {
        let phone = Phone(try await Market.open())
        #expect(try await phone.read(phone.send([Phone.Wish(version: version)])).count == 1)
    }

    @Test(arguments: [
        #""appleVersionId": "086001""#, #""appleVersionId": " 86001""#, #""appleVersionId": "-1""#,
        #""appleVersionId": "0""#, #""appleVersionId": 0"#, #""appleVersionId": -86001"#,
        #""appleVersionId": 86001.5"#, #""appleVersionId": null"#, #""appleVersionId": """#, #""appleVersionId": []"#,
        #""appleVersionId": "9223372036854775808""#, #""appleVersionId": 1e300"#, #""appleversionid": "86001""#,
        #""appleVersionId": "86001", "appleVersionId": "86001""#,
        #""appleVersionId": "86001", "appleVersionID": "1""#,
    ])
    func `a license request with a missing, malformed or conflicting app version id is refused`(version: String)
        async throws
    {
        let shop = try await Market.open()
        let answer = try await Phone(shop).send([Phone.Wish(version: version)])
        #expect(answer.status == 400)
        #expect(answer.code?.hasPrefix("field_") == true || answer.code?.hasPrefix("json_") == true)
        #expect(try await shop.licenses().isEmpty)
    }

    @Test(arguments: ["", "v 1", "../v-1", "v_1", String(repeating: "v", count: 65)])
    func `a license request with a malformed asset name is refused`(asset: String) async throws {
        let answer = try await Phone(try await Market.open()).send([Phone.Wish(asset: asset)])
        #expect(answer.status == 400 && answer.code == "field_invalid")
    }

    @Test func `a license request that names an app twice is refused as malformed`() async throws {
        let shop = try await Market.open()
        let answer = try await Phone(shop).send([.game, Phone.Wish(asset: "00000002-0000-4000-8000-000000000001")])
        #expect(answer.status == 400 && answer.code?.hasPrefix("json_") == true)
        #expect(try await shop.licenses().isEmpty)
    }

    @Test(
        arguments: [
            (Phone.Wish(item: 99), "app_unknown"), (Phone.Wish(item: .init(Int64.max)), "app_unknown"),
            (Phone.Wish(version: #""appleVersionId": "1""#), "app_version_unknown"),
            (Phone.Wish(asset: "00000009-0000-4000-8000-000000000001"), "app_key_missing"),
            // An asset name that isn't a UUID is unknown too.
            (Phone.Wish(asset: "V-1"), "app_key_missing"),
        ]) func `a license response lists each refused app, and an event records the reason`(
            request: Phone.Wish, reason: String
        ) async throws
    {
        let shop = try await Market.open()
        let phone = Phone(shop)
        let answer = try await phone.send([request])
        #expect(answer.texts("unlicensedApps") == ["\(request.item)"])
        // All apps are refused, so the response is a signed license without apps.
        #expect(try await phone.read(answer).isEmpty)
        #expect(try await shop.reasons() == [reason])
    }

    @Test func `an app without a key blob is refused, and the request's other apps are licensed`() async throws {
        let shop = try await Market.open(packages: GivenPackages(["game-1": .game(version: 1)]))
        let other = AppleItemID(number: 7)!
        let version = AppVersion(id: AppleVersionID(number: 1)!, shortVersion: "1", bundleVersion: "1")
        try await shop.vendor.save([
            .insert(AppRow(tenant: GivenMart.tenant, app: MarketplaceApp(item: other))),
            .insert(VersionRow(tenant: GivenMart.tenant, item: other, version: version)),
        ])
        let phone = Phone(shop)
        let answer = try await phone.send([.game, Phone.Wish(item: 7, version: #""appleVersionId": 1"#)])
        #expect(answer.texts("unlicensedApps") == ["7"])
        #expect(try await phone.read(answer).flatMap(\.appKeys).map(\.appleItemID) == [GivenMart.item.number])
        #expect(try await shop.reasons() == ["app_key_missing"])
    }

    @Test(arguments: [
        "00000001-0000-4000-8000-000000000001", "00000002-0000-4000-8000-000000000001",
        "00000001-0000-4000-8000-000000000002",
    ])
    func `a license contains the key of exactly the requested asset, variant or delta`(
        asset: String
    ) async throws {
        let blobs =
            #"{"00000001-0000-4000-8000-000000000001": "AQ==", "00000002-0000-4000-8000-000000000001": "Ag==", "00000001-0000-4000-8000-000000000002": "Aw=="}"#
        let shop = try await Market.open(
            packages: GivenPackages([
                "game-1": .game(version: 1, deltas: ["00000001-0000-4000-8000-000000000002"], keyBlobs: blobs)
            ]))
        let phone = Phone(shop)
        let license = try #require(try await phone.read(phone.send([Phone.Wish(asset: asset)])).first)
        let byte: [String: UInt8] = [
            "00000001-0000-4000-8000-000000000001": 1, "00000002-0000-4000-8000-000000000001": 2,
            "00000001-0000-4000-8000-000000000002": 3,
        ]
        #expect(license.appKeys.map(\.keyBlobSHA256) == [SHA256.hash([try #require(byte[asset])])])
        // The renewal doesn't name the asset, because the server has stored it.
        let renewed = try #require(try await phone.read(phone.renew([license.licenseID])).first)
        #expect(renewed.appKeys == license.appKeys)
    }

    @Test func `an app is licensed only if both the sealed and the unsealed part of the request name it`() async throws
    {
        let shop = try await Self.shop(apps: 3)
        let phone = Phone(shop)
        let answer = try await phone.send([Phone.Wish(item: 1), Phone.Wish(item: 2)], sealing: [2, 3, 3, 0, .max])
        #expect(try await phone.read(answer).flatMap(\.appKeys).map(\.appleItemID) == [2])
        #expect(answer.texts("unlicensedApps") == ["1", "3"])
        #expect(try await shop.reasons() == ["app_not_requested"])
    }

    @Test func `a license request without apps gets a signed license without apps`() async throws {
        let phone = Phone(try await Market.open())
        let answer = try await phone.send([])
        #expect(try await phone.read(answer).isEmpty)
        #expect(answer.body["unlicensedApps"] == .array([]))
    }

    /// Stores empty key blobs for an app, with a new catalog version, because servers cache the blobs of a version.
    static func breakKeys(of item: AppleItemID, at shop: Market) async throws {
        try await replaceKeys(of: item, by: [], named: "Broken", at: shop)
    }

    static func mendKeys(of item: AppleItemID, at shop: Market) async throws {
        try await replaceKeys(of: item, by: [1], named: "Mended", at: shop)
    }

    private static func replaceKeys(
        of item: AppleItemID, by blob: [UInt8], named name: String, at shop: Market
    ) async throws {
        try await shop.vendor.apply(#"{"tenants": [{"id": "acme", "name": "\#(name)"}]}"#)
        let assets = try await shop.vendor.store.all(AppAsset.ofTenant, [.of(GivenMart.tenant)])
        for old in assets where old.ref.item == item {
            let new = AppAsset(tenant: old.tenant, ref: old.ref, kind: old.kind, keyBlob: blob, isSimulated: true)
            try await shop.vendor.save([.replace(old, by: new)])
        }
    }

    /// Returns an open marketplace with the apps 1 to `count`.
    static func shop(apps count: Int) async throws -> Market {
        let items = (1...count).map(String.init)
        let apps = items.map { #"{"appleItemID": "\#($0)", "package": "\#($0)", "license": {"jitterPercent": 0}}"# }
        let packages = Dictionary(uniqueKeysWithValues: items.map { ($0, PackageFiles.game(version: 1, item: $0)) })
        return try await Market(
            GivenMart.catalog(
                members: #""access": "open""#, apps: apps.joined(separator: ","), accounts: ""),
            packages: GivenPackages(packages))
    }
}
