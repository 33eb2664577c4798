import TenureCore
import TenureMarketplace
import TenureMarketplaceServer
import TenureServerKit
import TenureStore

extension StoreContract {
    static let marketplaces: [Case] = [
        Case("a marketplace is read back unchanged with its apps and versions, and can be updated") { store in
            try await store.saveCatalog()
            try expectEqual(try await store.catalog().tenants[Sample.acme]?.marketplace, nil)
            try await store.save(Sample.marketCatalog)
            try expectEqual(try await store.market(), Sample.market)
            var changed = Marketplace(name: "", domain: "other.example")
            try await store.save([.marketplace(changed, of: Sample.acme)])
            changed.apps = Sample.market.apps
            try expectEqual(try await store.market(), changed)
            var app = Sample.chessApp
            app.isDelisted = true
            app.rules = AppLicense.Rules()
            try await store.save([.app(app, of: Sample.acme)])
            try expectEqual(try await store.market()?.apps[Sample.chess], app)
            try expectEqual(
                try await store.loadCatalog().tenants[Sample.acme]?.marketplace, try await store.market())
        },
        Case("a marketplace with the domain of another marketplace is refused") { store in
            try await store.save(Sample.marketCatalog)
            try await expectFailure(.taken, of: "marketplaces.domain") {
                try await store.save([
                    .marketplace(Marketplace(name: "Bolt", domain: "market.example"), of: Sample.bolt)
                ])
            }
            try expectEqual(try await store.catalog().tenants[Sample.bolt]?.marketplace, nil)
            try await store.save([.marketplace(Marketplace(name: "Bolt", domain: "bolt.example"), of: Sample.bolt)])
        },
        Case("removing a version removes its assets, and other versions keep theirs") { store in
            try await store.save(Sample.marketCatalog)
            let first = Sample.assetRef()
            let second = Sample.assetRef(version: Sample.secondVersion)
            let other = Sample.assetRef(item: Sample.chess)
            try await store.save([first, second, other].map { .appAsset(Sample.asset($0)) })
            var app = Sample.gameApp
            app.versions[Sample.firstVersion] = nil
            try await store.save([.app(app, of: Sample.acme)])
            let found = try await store.appAssets([first, second, other], of: Sample.acme)
            try expectEqual(found.map(\.ref), [second, other])
            let versions = try await store.market()?.apps[Sample.game]?.versions
            try expectEqual(versions.map { Array($0.keys) }, [Sample.secondVersion])
        },
        Case("the requested assets are read back unchanged, and can be updated") { store in
            try await store.save(Sample.marketCatalog)
            let full = Sample.asset(
                Sample.assetRef("B"), keyBlob: (0..<4_096).map { UInt8(truncatingIfNeeded: $0) }, kind: .delta)
            let bare = Sample.asset(Sample.assetRef("a"), keyBlob: nil)
            try await store.save([.appAsset(full), .appAsset(bare)])
            let refs = [bare.ref, Sample.assetRef("none"), full.ref, full.ref]
            try expectEqual(try await store.appAssets(refs, of: Sample.acme), [full, bare])
            try expectEqual(try await store.appAssets(refs, of: Sample.bolt), [])
            try expectEqual(try await store.appAssets([], of: Sample.acme), [])
            let keyed = Sample.asset(bare.ref, keyBlob: [1])
            try await store.save([.appAsset(keyed)])
            try expectEqual(try await store.appAssets([bare.ref], of: Sample.acme), [keyed])
        },
        Case("the catalog records which assets have a key blob") { store in
            try await store.save(Sample.marketCatalog)
            let keyed = Sample.assetRef("keyed")
            let bare = Sample.assetRef("bare")
            try await store.save([.appAsset(Sample.asset(keyed)), .appAsset(Sample.asset(bare, keyBlob: nil))])
            let market = try await store.market()
            try expectEqual(market?.hasKey(of: keyed), true)
            try expectEqual(market?.hasKey(of: bare), false)
        },
        Case("only an app or a marketplace without licenses can be removed") { store in
            try await store.save(
                Sample.marketCatalog + [
                    .appAsset(Sample.asset(Sample.assetRef())),
                    .appAsset(Sample.asset(Sample.assetRef(item: Sample.chess))),
                    .appLicense(Sample.appLicense(1, state: .revoked)),
                ])
            try await expectFailure(.inUse) { try await store.save([.removeApp(Sample.game, of: Sample.acme)]) }
            try await expectFailure(.inUse) { try await store.save([.removeMarketplace(of: Sample.acme)]) }
            try expectEqual(try await store.market()?.apps.count, 2)
            try await store.save([.removeApp(Sample.chess, of: Sample.acme)])
            try expectEqual(try await store.market().map { Array($0.apps.keys) }, [Sample.game])
            try await store.save([
                .marketplace(Marketplace(name: "Bolt", domain: "bolt.example"), of: Sample.bolt),
                .app(Sample.gameApp, of: Sample.bolt),
            ])
            try await store.save([.removeMarketplace(of: Sample.bolt)])
            try expectEqual(try await store.catalog().tenants[Sample.bolt]?.marketplace, nil)
        },
        Case("a query counts the app licenses of each app") { store in
            try await store.save(
                Sample.marketCatalog + [
                    .appLicense(Sample.appLicense(1)), .appLicense(Sample.appLicense(2, state: .returned)),
                    .appLicense(Sample.appLicense(3, item: Sample.chess)),
                ])
            let query = RowQueryPlans.appCounts.queries
            let counts = try await store.load(RowQueryPlans.appCounts.bind()) { results in Set(results[query]) }
            try expectEqual(
                counts,
                [
                    AppCount(tenant: Sample.acme, item: Sample.game, count: 2),
                    AppCount(tenant: Sample.acme, item: Sample.chess, count: 1),
                ])
        },
        Case("changes of marketplaces and their apps and keys raise the catalog's version, app licenses don't") {
            store in
            try await store.save(Sample.marketCatalog)
            let writes: [[Put]] = [
                [.marketplace(Sample.market, of: Sample.acme)], [.app(Sample.gameApp, of: Sample.acme)],
                [.appAsset(Sample.asset(Sample.assetRef()))],
                [.marketplaceKey(Sample.marketplaceKey("k", .signing))],
                [.removeApp(Sample.chess, of: Sample.acme)],
            ]
            for (index, writes) in writes.enumerated() {
                try await store.save(writes)
                try expectEqual(try await store.catalogVersion(), Int64(index) + 2)
            }
            let version = try await store.catalogVersion()
            try await store.save([
                .account(Account(ref: Sample.ref(Sample.ada), createdAt: Sample.now)),
                .credential(Sample.credential(1)), .appGrant(Sample.grant()), .appLicense(Sample.appLicense(1)),
            ])
            try await store.forgetCredentials(before: Sample.now)
            try expectEqual(try await store.catalogVersion(), version)
        },
        Case("marketplace keys are listed oldest first, with and without a secret") { store in
            try await store.saveCatalog()
            let keys = MarketplaceKeyRecord.Purpose.allCases.enumerated().map { index, purpose in
                Sample.marketplaceKey(
                    "k\(9 - index)", purpose, at: Sample.now.adding(seconds: Int64(index)),
                    sealed: index == 1 ? nil : [0, 255])
            }
            try await store.save(keys.reversed().map(Put.marketplaceKey))
            try expectEqual(try await store.marketplaceKeys(), keys)
            let sameName = Sample.marketplaceKey("k9", .signing, at: Sample.now.adding(days: 1))
            try await store.save([.marketplaceKey(sameName)])
            try expectEqual(try await store.marketplaceKeys(), keys + [sameName])
        },
        Case("marketplace keys created in one second are ordered by when the configuration names them") { store in
            try await store.saveCatalog()
            // Otherwise, the key's id would decide, and a marketplace would never use a key from a rotation that
            // followed its first key within a second.
            let first = Sample.marketplaceKey("k9", .signing)
            var rotated = Sample.marketplaceKey("k1", .signing)
            rotated.namedFrom = first.namedFrom.adding(seconds: 300)
            try await store.save([.marketplaceKey(rotated), .marketplaceKey(first)])
            try expectEqual(try await store.marketplaceKeys(), [first, rotated])
            try expectEqual(try await store.marketplaceKeys(of: Sample.acme), [first, rotated])
        },
    ]
}

extension Store {
    fileprivate func market() async throws(StoreError) -> Marketplace? {
        try await catalog().tenants[Sample.acme]?.marketplace
    }
}
