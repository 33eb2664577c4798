import TenureCore
import TenureLicensing
import TenureMarketplace
import TenureMarketplaceServer

extension StoreContract {
    private static let population: [Put] = [
        .appLicense(Sample.appLicense(1)), .appLicense(Sample.appLicense(2, device: 2, end: Sample.now)),
        .appLicense(Sample.appLicense(3, item: Sample.chess, end: Sample.now.adding(seconds: 1))),
        .appLicense(Sample.appLicense(4, account: Sample.bob, end: Sample.now, state: .suspended)),
        .appLicense(Sample.appLicense(5, account: Sample.bob, device: 2, state: .revoked)),
        .appLicense(Sample.appLicense(6, account: nil, end: Sample.now, state: .returned)),
        .appLicense(Sample.appLicense(7, item: Sample.chess, account: nil, device: 3)),
    ]

    static let appListings: [Case] = [
        Case("app licenses are filtered by tenant, account, app and device, and ordered by id") { store in
            try await store.save(Sample.marketCatalog + population.reversed())
            let table: [(AppLicenseFilter, [Int64])] = [
                (AppLicenseFilter(now: Sample.now), Array(1...7)),
                (AppLicenseFilter(tenant: Sample.acme, now: Sample.now), Array(1...7)),
                (AppLicenseFilter(tenant: Sample.bolt, now: Sample.now), []),
                (AppLicenseFilter(tenant: Sample.acme, account: Sample.ada, now: Sample.now), [1, 2, 3]),
                (AppLicenseFilter(tenant: Sample.acme, item: Sample.chess, now: Sample.now), [3, 7]),
                (AppLicenseFilter(device: Sample.hash(2), now: Sample.now), [2, 5]),
                (
                    AppLicenseFilter(
                        tenant: Sample.acme, account: Sample.bob, item: Sample.game, device: Sample.hash(1),
                        now: Sample.now), [4]
                ),
                (AppLicenseFilter(device: Sample.hash(99), now: Sample.now), []),
            ]
            for (filter, expected) in table {
                let found = try await store.appLicenses(filter, after: nil, limit: 100)
                try expectEqual(found.map(\.id.number), expected)
            }
        },
        Case("app licenses are filtered by their state at the requested time") { store in
            try await store.save(Sample.marketCatalog + population)
            let licenses = try await store.appLicenses(AppLicenseFilter(now: Sample.now), after: nil, limit: 100)
            for now in [Sample.now.adding(seconds: -1), Sample.now, Sample.now.adding(seconds: 1)] {
                for state in LifecycleState.allCases {
                    let filter = AppLicenseFilter(tenant: Sample.acme, state: state, now: now)
                    let found = try await store.appLicenses(filter, after: nil, limit: 100)
                    try expectEqual(found.map(\.id), licenses.filter { $0.state(at: now) == state }.map(\.id))
                }
            }
        },
        Case("pages of a tenant's app licenses contain each license once, with every filter and page size") { store in
            try await store.save(Sample.marketCatalog + population)
            let filters = [
                AppLicenseFilter(now: Sample.now), AppLicenseFilter(account: Sample.bob, now: Sample.now),
                AppLicenseFilter(item: Sample.chess, now: Sample.now),
                AppLicenseFilter(account: Sample.ada, item: Sample.game, now: Sample.now),
                AppLicenseFilter(state: .active, now: Sample.now),
                AppLicenseFilter(account: Sample.ada, state: .expired, now: Sample.now),
            ]
            for filter in filters {
                for limit in 1...8 {
                    var (paged, cursor, rest) = ([AppLicense](), LicenseID?.none, 20)
                    repeat {
                        let page = try await store.pagedAppLicenses(
                            filter, of: Sample.acme, after: cursor, limit: limit)
                        try expect(page != nil, "the cursor is unknown")
                        guard let page else { break }
                        try expect(page.licenses.count <= limit, "a page of \(limit) holds \(page.licenses.count)")
                        paged += page.licenses
                        (cursor, rest) = (page.next, rest - 1)
                    } while cursor != nil && rest > 0
                    try expect(cursor == nil, "the pages never end")
                    var narrowed = filter
                    narrowed.tenant = Sample.acme
                    let all = try await store.appLicenses(narrowed, after: nil, limit: 100)
                    try expectEqual(Set(paged.map(\.id)), Set(all.map(\.id)))
                    try expectEqual(paged.count, all.count)
                }
            }
            let foreign = AppLicenseFilter(now: Sample.now)
            let other = try await store.pagedAppLicenses(foreign, of: Sample.bolt, after: Sample.id(1), limit: 9)
            try expect(other == nil, "another tenant's license is no cursor")
        },
        Case("pages of an app license list contain every license once, in order") { store in
            try await store.save(Sample.marketCatalog + population)
            for tenant in [nil, Sample.acme] {
                let filter = AppLicenseFilter(tenant: tenant, now: Sample.now)
                var paged: [AppLicense] = []
                while true {
                    let page = try await store.appLicenses(filter, after: paged.last?.id, limit: 2)
                    try expect(page.count <= 2, "a page of 2 holds \(page.count)")
                    if page.isEmpty { break }
                    paged += page
                }
                try expectEqual(paged, try await store.appLicenses(filter, after: nil, limit: 100))
            }
        },
        Case("the renewal risk counts active app licenses that end within 24 hours and within 7 days") { store in
            try expectEqual(try await store.renewalRisk(at: Sample.now), [])
            let day = Sample.now.adding(days: 1)
            let week = Sample.now.adding(days: 7)
            let failed = Sample.now.adding(days: -1)
            let licenses = [
                Sample.appLicense(1, end: Sample.now), Sample.appLicense(2, end: Sample.now.adding(seconds: 1)),
                Sample.appLicense(3, end: day, failedAt: failed), Sample.appLicense(4, end: day.adding(seconds: 1)),
                Sample.appLicense(5, account: nil, end: week, failedAt: failed),
                Sample.appLicense(6, end: week.adding(seconds: 1), failedAt: failed),
                Sample.appLicense(7, end: day, isReplaced: true), Sample.appLicense(8, failedAt: failed),
                Sample.appLicense(9, end: day, state: .suspended), Sample.appLicense(10, end: day, state: .revoked),
                Sample.appLicense(11, end: day, state: .returned),
            ]
            try await store.save(
                Sample.marketCatalog + licenses.map(Put.appLicense)
                    + [.marketplace(Marketplace(name: "Bolt", domain: "bolt.example"), of: Sample.bolt)])
            let expected = RenewalRisk(
                tenant: Sample.acme, day: RenewalRisk.Count(expiring: 2, failed: 1),
                week: RenewalRisk.Count(expiring: 4, failed: 2))
            try expectEqual(try await store.renewalRisk(at: Sample.now), [expected])
            let never = RenewalRisk(tenant: Sample.acme, day: RenewalRisk.Count(), week: RenewalRisk.Count())
            try expectEqual(try await store.renewalRisk(at: Sample.now.adding(days: 99)), [never])
        },
    ]
}
