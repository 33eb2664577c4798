import TenureCore
import TenureMarketplace
import TenureMarketplaceServer
import TenureStore

extension StoreContract {
    static let appRaces: [Case] = [
        Case("of many devices on several servers, exactly one gets an account's last activation") {
            _, subject in
            try await subject.withShared { stores in
                try await stores[0].save(Sample.marketCatalog)
                for round in 0..<12 {
                    let account = Sample.account("account \(round)")
                    let first = Int64(100 * round + 1)
                    try await stores[0].save([
                        .account(Account(ref: Sample.ref(account), createdAt: Sample.now)),
                        .appGrant(Sample.grant(to: account)),
                        .appLicense(Sample.appLicense(first, account: account, device: 1)),
                    ])
                    let granted = try await withThrowingTaskGroup(of: LicenseID?.self) { group in
                        for number in 2..<18 {
                            group.addTask {
                                try await stores[number % stores.count].issue(
                                    first + Int64(number), account: account, device: number, request: 1)
                            }
                        }
                        return try await group.reduce(into: []) { if let id = $1 { $0.append(id) } }
                    }
                    try expectEqual(granted.count, 1)
                    let right = try await stores[0].appRight(of: Sample.ref(account), to: Sample.game, at: Sample.now)
                    try expectEqual(right.active.count, 2)
                }
            }
        },
        Case("a device's request that several servers receive many times at once gets one license") { _, subject in
            try await subject.withShared { stores in
                try await stores[0].save(Sample.marketCatalog + [.appGrant(Sample.grant())])
                for account in [nil, Sample.ada] {
                    let first: Int64 = account == nil ? 100 : 200
                    let ids = try await withThrowingTaskGroup(of: LicenseID?.self) { group in
                        for number in 0..<40 {
                            group.addTask {
                                try await stores[number % stores.count].issue(
                                    first + Int64(number), account: account, device: 7, request: .max)
                            }
                        }
                        return try await group.reduce(into: Set<LicenseID?>()) { $0.insert($1) }
                    }
                    try expectEqual(ids.count, 1)
                    try expect(!ids.contains(nil), "a request was refused")
                }
                let all = try await stores[0].appLicenses(
                    AppLicenseFilter(device: Sample.hash(7), now: Sample.now), after: nil, limit: 10)
                try expectEqual(all.count, 2)
            }
        },
        Case("concurrent renewals and new licenses of a device each see the earlier changes") {
            _, subject in
            try await subject.withShared { stores in
                try await stores[0].save(
                    Sample.marketCatalog + [.appGrant(Sample.grant()), .appLicense(Sample.appLicense(1))])
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 2..<42 {
                        group.addTask {
                            let store = stores[number % stores.count]
                            if number.isMultiple(of: 4) {
                                _ = try await store.issue(
                                    Int64(number), account: Sample.ada, device: 1, request: UInt64(number))
                            } else {
                                try await store.lengthen(Sample.id(1))
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                let first = try await stores[0].appLicense(Sample.id(1))
                try expectEqual(first?.term.end, Sample.now.adding(days: 30))
                try expectEqual(first?.isReplaced, true)
                let keys = AppKeys(
                    tenant: Sample.acme, device: Sample.hash(1), account: Sample.ada, items: [Sample.game],
                    now: Sample.now)
                let earlier = try await stores[0].load(keys).earlier[Sample.game] ?? []
                try expectEqual(earlier.count, 11)
                try expectEqual(earlier.count { !$0.isReplaced }, 1)
            }
        },
        Case("concurrent requests of many accounts are granted up to each account's device limit") { store in
            let accounts = (0..<60).map { Sample.account("account \($0)") }
            try await store.save(
                Sample.marketCatalog
                    + accounts.flatMap { account -> [Put] in
                        [
                            .account(Account(ref: Sample.ref(account), createdAt: Sample.now)),
                            .appGrant(Sample.grant(to: account)),
                        ]
                    })
            let granted = try await withThrowingTaskGroup(of: LicenseID?.self) { group in
                for number in 0..<180 {
                    group.addTask {
                        try await store.issue(
                            Int64(number + 1), account: accounts[number % 60], device: number, request: 1)
                    }
                }
                return try await group.reduce(into: []) { if let id = $1 { $0.append(id) } }
            }
            // The grant of each account allows two devices.
            try expectEqual(granted.count, 120)
            try expectEqual(
                try await store.appLicenses(AppLicenseFilter(now: Sample.now), after: nil, limit: 1_000).count, 120)
        },
        Case("a failed change of app licenses saves nothing") { store in
            try await store.save(Sample.marketCatalog)
            try await expectFailure(.taken, of: "licenses.by_key") {
                try await store.save([
                    .account(Account(ref: Sample.ref(Sample.account("new")), createdAt: Sample.now)),
                    .appGrant(Sample.grant()), .appLicense(Sample.appLicense(1)), .credential(Sample.credential(1)),
                    .license(Sample.license(1, key: 1)), .license(Sample.license(2, key: 1)),
                ])
            }
            try expectEqual(try await store.appLicense(Sample.id(1)), nil)
            try expectEqual(try await store.appGrants(of: Sample.ref(Sample.ada)), [])
            try expectEqual(try await store.credential(Sample.hash(1)), nil)
            try expectEqual(try await store.account(Sample.ref(Sample.account("new"))), nil)
        },
    ]
}

extension Store {
    /// Issues a license of the game by the real decision; returns `nil` if it's refused.
    fileprivate func issue(
        _ newID: Int64, account: AccountID?, device: Int, request: UInt64
    ) async throws(StoreError) -> LicenseID? {
        let requester = AppLicense.Requester(
            tenant: Sample.acme, account: account, device: Sample.hash(device), request: request)
        var app = Sample.gameApp
        app.isDelisted = false
        let market = Marketplace(
            name: "", domain: "", access: account == nil ? .open : .token, apps: [Sample.game: app])
        let wish = AppLicense.Request(asset: Sample.assetRef(), hasKey: true, newID: Sample.id(newID), draw: 0)
        let keys = AppKeys(
            tenant: Sample.acme, device: requester.device, account: account, items: [Sample.game], now: Sample.now)
        let queries = AppLicenseLookups.plan.queries
        return try await perform(
            Transaction(AppLicenseLookups.bind(keys)) { results in
                let loaded = queries.loaded(keys, in: results)
                let right = account.flatMap { loaded.rights[AppRightRef(account: $0, item: Sample.game)] }
                let decision = market.issue(
                    wish, to: requester, right: right, earlier: loaded.earlier[Sample.game] ?? [], at: Sample.now)
                switch decision {
                case .granted(let (license, consequences)):
                    return TransactionResult(license.id, [RowWrite](consequences, over: loaded))
                case .refused: return TransactionResult(nil)
                }
            })
    }

    /// Extends the term of a license by a day.
    fileprivate func lengthen(_ id: LicenseID) async throws(StoreError) {
        let keys = AppKeys(tenant: Sample.acme, licenses: [id], now: Sample.now)
        let queries = AppLicenseLookups.plan.queries
        try await perform(
            Transaction(AppLicenseLookups.bind(keys)) { results in
                guard let old = queries.loaded(keys, in: results).licenses[id],
                    let term = Term(start: old.term.start, end: (old.term.end ?? Sample.now).adding(days: 1))
                else { return TransactionResult(()) }
                let license = AppLicense(
                    id: id, tenant: old.tenant, asset: old.asset, account: old.account, device: old.device,
                    request: old.request, issuedAt: old.issuedAt, term: term, termRequest: old.termRequest,
                    recordedState: old.recordedState, stoppedAt: old.stoppedAt, failedAt: old.failedAt,
                    isReplaced: old.isReplaced)
                return TransactionResult((), [.replace(old, by: license)])
            })
    }
}
