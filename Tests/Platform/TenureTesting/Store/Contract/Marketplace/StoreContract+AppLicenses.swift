import TenureCore
import TenureLicensing
import TenureMarketplace
import TenureMarketplaceServer
import TenureServerKit
import TenureStore

extension StoreContract {
    static let appLicenses: [Case] = [
        Case("an app license is read back unchanged in each stored state, and can be updated") { store in
            try await store.save(Sample.marketCatalog)
            for (index, state) in [LifecycleState.active, .suspended, .revoked, .returned].enumerated() {
                let license = Sample.appLicense(
                    Int64(index + 1), account: index == 0 ? nil : Sample.bob, request: .max,
                    end: index == 1 ? nil : Sample.now, state: state, failedAt: index == 2 ? Sample.now : nil,
                    isReplaced: index == 3)
                try await store.save([.appLicense(license)])
                try expectEqual(try await store.appLicense(license.id), license)
            }
            let largest = Sample.appLicense(Int64.max - 1, item: Sample.chess, request: 1 << 63)
            try await store.save([.appLicense(largest)])
            try expectEqual(try await store.appLicense(largest.id), largest)
            let changed = Sample.appLicense(
                Int64.max - 1, item: Sample.chess, request: 1 << 63, end: Sample.now.adding(days: 9), state: .suspended,
                failedAt: Sample.now, isReplaced: true)
            try await store.save([.appLicense(changed)])
            try expectEqual(try await store.appLicense(largest.id), changed)
            try expectEqual(try await store.appLicense(Sample.id(77)), nil)
        },
        Case("app licenses are found by id, with their accounts' rights, only within their own tenant") { store in
            let mine = Sample.appLicense(1)
            let others = Sample.appLicense(2, item: Sample.chess, account: Sample.bob, device: 2)
            let open = Sample.appLicense(3, account: nil)
            try await store.save(
                Sample.marketCatalog
                    + [.appGrant(Sample.grant()), .appLicense(mine), .appLicense(others), .appLicense(open)])
            let ids = [mine.id, others.id, open.id, Sample.id(99)]
            let loaded = try await store.load(AppKeys(tenant: Sample.acme, licenses: ids, now: Sample.now))
            let expected = LoadedApps(
                licenses: [mine.id: mine, others.id: others, open.id: open],
                rights: [
                    AppRightRef(account: Sample.ada, item: Sample.game): AppGrant.Right(
                        grant: Sample.grant(), active: [mine.device]),
                    AppRightRef(account: Sample.bob, item: Sample.chess): AppGrant.Right(
                        grant: nil, active: [others.device]),
                ])
            try expectEqual(loaded, expected)
            let foreign = try await store.load(AppKeys(tenant: Sample.bolt, licenses: ids, now: Sample.now))
            try expectEqual(foreign, LoadedApps())
        },
        Case("a device's earlier app licenses are found oldest first, by account or without one") { store in
            let older = Sample.now.adding(days: -1)
            let own = [
                Sample.appLicense(5, issuedAt: older, end: older, isReplaced: true),
                Sample.appLicense(2, request: 2, state: .revoked), Sample.appLicense(4, request: 3),
            ]
            let nobodys = Sample.appLicense(1, account: nil)
            let writes = (own + [nobodys]).reversed().map(Put.appLicense)
            try await store.save(
                Sample.marketCatalog + writes + [
                    .appLicense(Sample.appLicense(6, device: 2)),
                    .appLicense(Sample.appLicense(7, account: Sample.bob)),
                    .appLicense(Sample.appLicense(8, item: Sample.chess)),
                ])
            try expectEqual(try await store.earlier(Sample.ada), [Sample.game: own])
            try expectEqual(try await store.earlier(nil), [Sample.game: [nobodys]])
            try expectEqual(try await store.earlier(Sample.ada, device: 3), [:])
        },
        Case("each device with an unexpired active or suspended app license counts once towards the limit") {
            store in
            let end = Sample.now.adding(seconds: 1)
            try await store.save(
                Sample.marketCatalog + [
                    .appGrant(Sample.grant()),
                    .appLicense(Sample.appLicense(1, device: 1, end: end)),
                    .appLicense(Sample.appLicense(2, device: 1, request: 2)),
                    .appLicense(Sample.appLicense(3, device: 2, state: .suspended)),
                    .appLicense(Sample.appLicense(4, device: 3, end: Sample.now)),
                    .appLicense(Sample.appLicense(5, device: 4, end: Sample.now, state: .suspended)),
                    .appLicense(Sample.appLicense(6, device: 5, state: .revoked)),
                    .appLicense(Sample.appLicense(7, device: 6, state: .returned)),
                    .appLicense(Sample.appLicense(8, device: 7, isReplaced: true)),
                    .appLicense(Sample.appLicense(9, item: Sample.chess, device: 8)),
                    .appLicense(Sample.appLicense(10, account: Sample.bob, device: 9)),
                    .appLicense(Sample.appLicense(11, account: nil, device: 10)),
                ])
            let expected = AppGrant.Right(grant: Sample.grant(), active: Set([1, 2, 7].map(Sample.hash)))
            let account = Sample.ref(Sample.ada)
            try expectEqual(try await store.appRight(of: account, to: Sample.game, at: Sample.now), expected)
            let keys = AppKeys(tenant: Sample.acme, account: Sample.ada, items: [Sample.game], now: Sample.now)
            try expectEqual(
                try await store.load(keys).rights, [AppRightRef(account: Sample.ada, item: Sample.game): expected])
            let before = try await store.appRight(of: account, to: Sample.game, at: Sample.now.adding(seconds: -1))
            try expectEqual(before.active, Set([1, 2, 3, 4, 7].map(Sample.hash)))
            let ungranted = try await store.appRight(of: Sample.ref(Sample.bob), to: Sample.chess, at: Sample.now)
            try expectEqual(ungranted, AppGrant.Right(grant: nil, active: []))
        },
        Case("a device whose app licenses are all returned is listed once as recent, until the latest of their dates") {
            store in
            let until = Sample.now.adding(days: 30)
            try await store.save(
                Sample.marketCatalog + [
                    .appGrant(Sample.grant()),
                    .appLicense(Sample.appLicense(1, device: 1, state: .returned, countsUntil: until)),
                    .appLicense(
                        Sample.appLicense(
                            2, device: 1, request: 2, state: .returned, countsUntil: until.adding(days: 1))),
                    .appLicense(Sample.appLicense(3, device: 2, state: .returned, countsUntil: Sample.now)),
                    .appLicense(Sample.appLicense(4, device: 3, state: .returned)),
                    .appLicense(Sample.appLicense(5, device: 4, state: .returned, countsUntil: until)),
                    .appLicense(Sample.appLicense(6, device: 4, request: 2)),
                ])
            let account = Sample.ref(Sample.ada)
            let right = try await store.appRight(of: account, to: Sample.game, at: Sample.now)
            try expectEqual(right.active, [Sample.hash(4)])
            try expectEqual(right.recent, [Sample.hash(1): until.adding(days: 1)])
            let keys = AppKeys(tenant: Sample.acme, account: Sample.ada, items: [Sample.game], now: Sample.now)
            try expectEqual(
                try await store.load(keys).rights, [AppRightRef(account: Sample.ada, item: Sample.game): right])
        },
        Case("events about app licenses are read back with every kind of actor, and filtered by account") {
            store in
            try await store.save(Sample.marketCatalog + [.appLicense(Sample.appLicense(1))])
            let events = [
                Event(
                    .appLicenseIssued, at: Sample.now, actor: .device,
                    about: .init(Sample.ref(Sample.ada), app: Sample.chess, license: Sample.id(1))),
                Event(
                    .appLicenseRefused, at: Sample.now, actor: .account(Sample.bob),
                    about: .init(tenant: Sample.acme, app: Sample.game),
                    facts: [.init("reason", .text("app_withdrawn"))]),
                Event(.accountAdded, at: Sample.now, actor: .time, about: .init(Sample.ref(Sample.bob))),
                Event(
                    .marketplaceKeyAdded, at: Sample.now, actor: .operator("x"), about: .init(tenant: Sample.bolt)),
            ]
            try await store.save(events.map(Put.event))
            var recorded: [Event] = []
            for tenant in [Sample.acme, Sample.bolt] {
                recorded += try await store.events(EventFilter(tenant: tenant), after: 0, limit: 10).map(\.event)
            }
            try expectEqual(recorded, events)
            try expectEqual(try await store.faults(), [])
            let table: [(EventFilter, [EventKind])] = [
                (EventFilter(tenant: Sample.acme, account: Sample.bob), [.accountAdded]),
                (EventFilter(tenant: Sample.bolt, account: Sample.bob), []),
                (EventFilter(tenant: Sample.acme, license: Sample.id(1), account: Sample.ada), [.appLicenseIssued]),
                (EventFilter(tenant: Sample.acme, license: Sample.id(1), account: Sample.bob), []),
                (EventFilter(tenant: Sample.acme, license: Sample.id(1)), [.appLicenseIssued]),
            ]
            for (filter, kinds) in table {
                try expectEqual(try await store.events(filter, after: 0, limit: 10).map(\.event.kind), kinds)
            }
        },
    ]
}

extension Store {
    /// Loads the device's earlier licenses of the game.
    fileprivate func earlier(_ account: AccountID?, device: Int = 1) async throws -> [AppleItemID: [AppLicense]] {
        try await load(
            AppKeys(
                tenant: Sample.acme, device: Sample.hash(device), account: account, items: [Sample.game],
                now: Sample.now)
        ).earlier
    }
}
