import TenureCore
import TenureLicensing
import TenureLicensingServer
import TenureMarketplace
import TenureMarketplaceServer
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

@Suite struct ApplyMarketplaceTests {
    @Test func `apply lists each created item, and applying the file again changes nothing`() async throws {
        let vendor = try await Vendor(#"{"tenants": []}"#)
        let dry = try await vendor.apply(GivenMart.catalog(), options: .init(dryRun: true))
        #expect(try await vendor.store.catalog().tenants.isEmpty)
        let lines = try await vendor.apply(GivenMart.catalog()).map(\.description)
        #expect(dry.map(\.description) == lines)
        #expect(
            lines == [
                "+ tenant acme", "+ signing key acme", "+ marketplace acme: Acme at mart.example",
                "! marketplace acme: it has no appleItemID, which install tokens need as their issuer: restore, updates "
                    + "and install-token respond with 503 marketplace_not_ready until you add it",
                "+ app acme/6483539426", "+ version acme/6483539426/86001: 1.1 (101), 2 variants, 0 deltas",
                "! app acme/6483539426: 2 key blobs created (simulated)", "+ account acme/ada",
                "+ grant acme/ada 6483539426: until never",
            ])
        let events = try await EventCounter.all(in: vendor.store)
        #expect(try await vendor.apply(GivenMart.catalog()).isEmpty)
        #expect(try await vendor.apply(GivenMart.catalog(), options: .init(prune: true)).isEmpty)
        #expect(try await EventCounter.all(in: vendor.store) == events)
    }

    @Test func `apply lists each changed member with its old and new value`() async throws {
        let vendor = try await Vendor(#"{"tenants": []}"#)
        try await vendor.apply(GivenMart.catalog())
        let lines = try await vendor.apply(
            GivenMart.catalog(
                members: #""name": "Mart", "pollingIntervalHours": 48, "overrides": {"1": {"restore": "/m/r"}}"#,
                license: #""durationDays": 1, "deviceLimit": null"#))
        #expect(
            lines.map(\.description) == [
                "~ marketplace acme: name Acme -> Mart, pollingIntervalHours 24 -> 48, access token -> open, "
                    + "overrides none -> [1.restore=/m/r]",
                "! marketplace acme: overrides names 1, which is neither an app of this marketplace nor its own "
                    + "appleItemID: no device uses these endpoints",
                "~ app acme/6483539426: durationDays 30 -> 1, deviceLimit 5 -> none, deviceChanges 5 -> none, "
                    + "renewAheadDays 7 -> 0",
                "! app acme/6483539426: licenses last 1 day, and a device tries only about once to renew a license, "
                    + "so a device that is offline then can't start the app; 30 days is a good length",
            ])
    }

    @Test func `a newer package adds an app version, and the old version stays until apply prunes it`() async throws {
        let vendor = try await Vendor(#"{"tenants": []}"#)
        try await vendor.apply(GivenMart.catalog())
        let lines = try await vendor.apply(GivenMart.catalog(package: "game-2"))
        #expect(
            lines.map(\.description) == [
                "+ version acme/6483539426/86002: 1.2 (102), 2 variants, 0 deltas",
                "! app acme/6483539426: 2 key blobs created (simulated)",
            ])
        #expect(try await versions(vendor) == [86001: 2, 86002: 2])
        #expect(try await vendor.apply(GivenMart.catalog(package: "game-2")).isEmpty)
        let pruned = try await vendor.apply(GivenMart.catalog(package: "game-2"), options: .init(prune: true))
        #expect(pruned.map(\.description) == ["- version acme/6483539426/86001"])
        #expect(try await versions(vendor) == [86002: 2])
    }

    @Test(arguments: [(LifecycleState.active, true), (.suspended, true), (.revoked, false), (.returned, false)])
    func `an app version is pruned unless it has active or suspended licenses`(state: LifecycleState, stays: Bool)
        async throws
    {
        let vendor = try await Vendor(#"{"tenants": []}"#)
        try await vendor.apply(GivenMart.catalog())
        try await vendor.save([.insert(GivenMart.license(1, from: vendor.clock.now(), state: state))])
        try await vendor.apply(GivenMart.catalog(package: "game-2"))
        let pruned = try await vendor.apply(GivenMart.catalog(package: "game-2"), options: .init(prune: true))
        #expect(pruned.map(\.verb) == [stays ? .keep : .remove])
        #expect(try await versions(vendor).keys.contains(86001) == stays)
    }

    @Test func `pruning removes an unused app and then its marketplace, but no app with licenses`() async throws {
        let vendor = try await Vendor(#"{"tenants": []}"#)
        try await vendor.apply(GivenMart.catalog(apps: #"{"appleItemID": "6483539426"}, {"appleItemID": "2"}"#))
        try await vendor.save([.insert(GivenMart.license(1, from: vendor.clock.now(), state: .revoked))])
        let without = GivenMart.catalog(apps: "", accounts: "")
        let pruned = try await vendor.apply(without, options: .init(prune: true))
        #expect(pruned.map(\.description) == ["- app acme/2", "! app acme/6483539426: it has 1 license"])
        let bare = #"{"tenants": [{"id": "acme", "name": "Acme"}]}"#
        let stored = try await vendor.apply(bare, options: .init(prune: true))
        #expect(stored.map(\.description) == ["! app acme/6483539426: it has 1 license"])
        #expect(try await vendor.store.account(GivenMart.ada) != nil)

        let other = try await Vendor(#"{"tenants": []}"#)
        try await other.apply(GivenMart.catalog())
        #expect(
            try await other.apply(bare, options: .init(prune: true)).map(\.description) == [
                "- app acme/6483539426", "- marketplace acme",
            ])
        #expect(try await other.store.catalog().tenants[GivenMart.tenant]?.marketplace == nil)
    }

    @Test func `a delta that is added to a package later is added to the stored app version`() async throws {
        let vendor = try await Vendor(#"{"tenants": []}"#)
        try await vendor.apply(GivenMart.catalog())
        let packages = GivenPackages([
            "game-1": .game(
                version: 1, deltas: ["00000001-0000-4000-8000-000000000002"],
                keyBlobs: #"{"00000001-0000-4000-8000-000000000002": "AAEC"}"#)
        ])
        let lines = try await vendor.apply(GivenMart.catalog(), packages: packages)
        #expect(lines.map(\.description) == ["~ version acme/6483539426/86001: 1 asset added"])
        #expect(try await versions(vendor) == [86001: 3])
        let delta = try await asset("00000001-0000-4000-8000-000000000002", vendor)
        #expect(delta?.kind == .delta)
        #expect(delta?.keyBlob == [0, 1, 2])
        #expect(delta?.isSimulated == false)
    }

    @Test func `a real key blob replaces a simulated one and is kept when the package no longer contains it`()
        async throws
    {
        let vendor = try await Vendor(#"{"tenants": []}"#)
        try await vendor.apply(GivenMart.catalog())
        #expect(try await asset("00000001-0000-4000-8000-000000000001", vendor)?.keyBlob?.count == 560)
        #expect(try await asset("00000001-0000-4000-8000-000000000001", vendor)?.isSimulated == true)
        let real = GivenPackages([
            "game-1": .game(version: 1, keyBlobs: #"{"00000001-0000-4000-8000-000000000001": "AAEC", "other": "AA=="}"#)
        ])
        let lines = try await vendor.apply(GivenMart.catalog(), packages: real)
        #expect(lines.map(\.description) == ["~ version acme/6483539426/86001: 1 key blob changed"])
        #expect(try await vendor.apply(GivenMart.catalog()).isEmpty)
        #expect(try await asset("00000001-0000-4000-8000-000000000001", vendor)?.keyBlob == [0, 1, 2])
        #expect(try await asset("00000001-0000-4000-8000-000000000001", vendor)?.isSimulated == false)
    }

    @Test func `a marketplace with imported keys gets no simulated key blobs, and existing ones are removed`()
        async throws
    {
        let vendor = try await Vendor(#"{"tenants": []}"#)
        try await vendor.apply(GivenMart.catalog())
        try await vendor.save([
            .insert(
                MarketplaceKeyRecord(
                    tenant: GivenMart.tenant, kid: "k1", purpose: .pask, origin: .imported, certificate: [],
                    sealedSecret: [1], createdAt: vendor.clock.now(), namedFrom: vendor.clock.now()))
        ])
        let lines = try await vendor.apply(GivenMart.catalog()).map(\.description)
        let missing =
            "! app acme/6483539426: no key blob for 00000001-0000-4000-8000-000000000001, 00000002-0000-4000-8000-000000000001 of version 86001, so no license for it: add it to "
            + "keyblobs.json"
        #expect(lines == ["~ version acme/6483539426/86001: 2 key blobs changed", missing])
        #expect(try await asset("00000001-0000-4000-8000-000000000001", vendor)?.keyBlob == nil)
        #expect(try await versions(vendor) == [86001: 0])
        #expect(try await vendor.apply(GivenMart.catalog()).map(\.description) == [missing])
    }

    @Test func `a catalog file can't give a new marketplace the domain of a stored one`() async throws {
        let vendor = try await Vendor(#"{"tenants": []}"#)
        try await vendor.apply(GivenMart.catalog())
        let error = await #expect(throws: ServerError.self) {
            try await vendor.apply(#"{"tenants": [{"id": "bolt", "marketplace": {"domain": "mart.example"}}]}"#)
        }
        #expect(error?.code == .catalogConflict)
        #expect(error?.message.contains("acme") == true)
        #expect(try await vendor.store.catalog().tenants[TenantID("bolt")!] == nil)
    }

    @Test func `an app's 101st version is refused, and its stored versions stay`() async throws {
        let vendor = try await Vendor(#"{"tenants": []}"#)
        let packages = GivenPackages(
            Dictionary(
                uniqueKeysWithValues: (1...101).map {
                    ("game-\($0)", .game(version: $0, variants: ["00000001-0000-4000-8000-000000000001"]))
                }))
        for version in 1...100 {
            try await vendor.apply(GivenMart.catalog(package: "game-\(version)"), packages: packages)
        }
        let error = await #expect(throws: ServerError.self) {
            try await vendor.apply(GivenMart.catalog(package: "game-101"), packages: packages)
        }
        #expect(error?.code == .catalogConflict)
        #expect(try await versions(vendor).count == 100)
        try await vendor.apply(GivenMart.catalog(package: "game-101"), packages: packages, options: .init(prune: true))
        #expect(try await versions(vendor).count == 1)
    }

    /// Returns the number of assets with a key, by version.
    private func versions(_ vendor: Vendor) async throws -> [UInt64: Int] {
        let app = try await vendor.store.catalog().tenants[GivenMart.tenant]?.marketplace?.apps[GivenMart.item]
        return Dictionary(
            uniqueKeysWithValues: (app?.versions ?? [:]).map { ($0.key.number, $0.value.keyedAssets.count) })
    }

    private func asset(_ id: String, _ vendor: Vendor) async throws -> AppAsset? {
        let ref = AssetRef(item: GivenMart.item, version: AppleVersionID(number: 86001)!, asset: AssetID(id)!)
        return try await vendor.store.appAssets([ref], of: GivenMart.tenant).first
    }
}
