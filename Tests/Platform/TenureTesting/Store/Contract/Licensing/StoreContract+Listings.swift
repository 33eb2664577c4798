import TenureCore
import TenureLicensing
import TenureLicensingServer
import TenureServerKit

extension StoreContract {
    /// Licenses 1 to 6 are for `notes`, 7 and 8 for `draw`, and 9 belongs to the other tenant.
    private static let population: [Put] = [
        .license(Sample.license(1, holder: "ada")),
        .license(Sample.license(2, policy: Sample.team, holder: "ada", firstActivatedAt: Sample.now)),
        .license(Sample.license(3, holder: "Ada", end: Sample.now, state: .active, firstActivatedAt: Sample.now)),
        .license(Sample.license(4, end: Sample.now.adding(seconds: 1), state: .expired)),
        .license(Sample.license(5, end: Sample.now.adding(days: -1), state: .suspended)),
        .license(Sample.license(6, end: Sample.now.adding(days: -1), state: .revoked)),
        .license(Sample.license(7, product: Sample.draw, key: 1, end: Sample.now.adding(days: -2))),
        .license(Sample.license(8, product: Sample.draw, state: .returned)),
        .license(Sample.license(9, product: Sample.boltNotes, key: 1, holder: "ada")),
    ]

    static let listings: [Case] = [
        Case("licenses are filtered by tenant, product, policy, holder and end, and ordered by id") { store in
            try await store.saveCatalog(and: population.reversed())
            let table: [(LicenseFilter, [Int64])] = [
                (LicenseFilter(now: Sample.now), Array(1...9)),
                (LicenseFilter(tenant: Sample.acme, now: Sample.now), Array(1...8)),
                (LicenseFilter(tenant: Sample.acme, product: Sample.notes.product, now: Sample.now), Array(1...6)),
                (LicenseFilter(product: Sample.notes.product, now: Sample.now), [1, 2, 3, 4, 5, 6, 9]),
                (LicenseFilter(tenant: Sample.acme, policy: Sample.team, now: Sample.now), [2]),
                (LicenseFilter(holder: "ada", now: Sample.now), [1, 2, 3, 9]),
                (LicenseFilter(tenant: Sample.acme, holder: " ADA", now: Sample.now), [1, 2, 3]),
                (LicenseFilter(tenant: Sample.acme, policy: Sample.team, holder: "ada", now: Sample.now), [2]),
                (LicenseFilter(holder: "nobody", now: Sample.now), []),
                (.ending(before: Sample.now.adding(seconds: 1)), [3, 4, 5, 6, 7]),
                (.ending(after: Sample.now.adding(days: -2)), [3, 4, 5, 6]),
                (.ending(after: Sample.now.adding(days: -2), before: Sample.now), [3, 5, 6]),
            ]
            for (filter, expected) in table {
                let found = try await store.licenses(filter, after: nil, limit: 100)
                try expectEqual(found.rows.map(\.id.number), expected)
                try expectEqual(found.next, nil)
            }
        },
        Case("a page with few matches examines a bounded number of licenses and has a cursor for the rest") {
            store in
            let count = BoundedPage<License>.stretch + 10
            let last = Sample.license(count, state: .revoked)
            try await store.saveCatalog(and: (1..<count).map { .license(Sample.license($0)) } + [.license(last)])
            let filter = LicenseFilter(tenant: Sample.acme, state: .revoked, now: Sample.now)
            let first = try await store.licenses(filter, after: nil, limit: 100)
            try expectEqual(first.rows, [])
            try expectEqual(first.next?.id.number, Int64(BoundedPage<License>.stretch))
            let second = try await store.licenses(filter, after: first.next?.id, limit: 100)
            try expectEqual(second.rows, [last])
            try expectEqual(second.next, nil)
        },
        Case("licenses are filtered by their state at the requested time") { store in
            try await store.saveCatalog(and: population)
            let licenses = try await store.licenses(LicenseFilter(now: Sample.now), after: nil, limit: 100).rows
            for now in [Sample.now.adding(days: -10), Sample.now, Sample.now.adding(seconds: 1)] {
                for state in LifecycleState.allCases {
                    let found = try await store.licenses(LicenseFilter(state: state, now: now), after: nil, limit: 100)
                    try expectEqual(found.rows.map(\.id), licenses.filter { $0.state(at: now) == state }.map(\.id))
                }
            }
        },
        Case("pages of a license list contain every license once, in order") { store in
            try await store.saveCatalog(and: population)
            for filter in [LicenseFilter(now: Sample.now), LicenseFilter(tenant: Sample.acme, now: Sample.now)] {
                let all = try await store.licenses(filter, after: nil, limit: 100).rows
                var paged: [License] = []
                while true {
                    let page = try await store.licenses(filter, after: paged.last?.id, limit: 2)
                    try expect(page.rows.count <= 2, "a page of 2 holds \(page.rows.count)")
                    paged += page.rows
                    if page.next == nil { break }
                }
                try expectEqual(paged, all)
            }
        },
        Case("a license is found by id or key, optionally within a tenant or a product") { store in
            try await store.saveCatalog(and: population)
            let table: [(LicenseName, [Int64])] = [
                (LicenseName(.id(Sample.id(3))), [3]),
                (LicenseName(.id(Sample.id(3)), tenant: Sample.bolt), []),
                (LicenseName(.key(Sample.hash(1))), [1, 7, 9]),
                (LicenseName(.key(Sample.hash(1)), tenant: Sample.acme), [1, 7]),
                (LicenseName(.key(Sample.hash(1)), product: Sample.notes.product), [1, 9]),
                (LicenseName(.key(Sample.hash(1)), tenant: Sample.bolt, product: Sample.notes.product), [9]),
                (LicenseName(.key(Sample.hash(99))), []),
            ]
            for (name, expected) in table {
                try expectEqual(try await store.licenses(matching: name).map(\.id.number).sorted(), expected)
            }
        },
        Case("the expiry sweep finds licenses past their end that aren't stopped or recorded as expired") { store in
            try await store.saveCatalog(and: population)
            try expectEqual(
                try await store.licensesToExpire(at: Sample.now, limit: 10).sorted(), [3, 7].map(Sample.id))
            try expectEqual(try await store.licensesToExpire(at: Sample.now, limit: 1).count, 1)
            let before = Sample.now.adding(seconds: -1)
            try expectEqual(try await store.licensesToExpire(at: before, limit: 10), [Sample.id(7)])
        },
        Case("activations are listed oldest first, and released ones only on request") { store in
            try await store.saveCatalog(and: [
                .license(Sample.license(1)), .license(Sample.license(2)),
                .activation(Sample.activation(1, of: Sample.id(1), at: Sample.now.adding(seconds: 2))),
                .activation(Sample.activation(3, of: Sample.id(1))),
                .activation(Sample.activation(2, of: Sample.id(1))),
                .activation(
                    Sample.activation(4, of: Sample.id(1), at: Sample.now.adding(days: -1), released: Sample.now)),
                .activation(Sample.activation(5, of: Sample.id(2))),
            ])
            let live = try await store.activations(of: Sample.id(1), includingReleased: false)
            try expectEqual(live.map(\.id), [2, 3, 1].map(Sample.activationID))
            let all = try await store.activations(of: Sample.id(1), includingReleased: true)
            try expectEqual(all.map(\.id), [4, 2, 3, 1].map(Sample.activationID))
            try expectEqual(try await store.activation(Sample.activationID(6)), nil)
        },
        Case("a validation reads the license with the key and the activation with the id, even of another license") {
            store in
            let activation = Sample.activation(1, of: Sample.id(2), identity: .machine("m"))
            try await store.saveCatalog(and: population + [.activation(activation)])
            let both = try await store.validation(of: activation.id, for: Sample.hash(1), in: Sample.draw)
            try expectEqual(both.license, try await store.license(Sample.id(7)))
            try expectEqual(both.activation, activation)
            try expectEqual(both.catalogVersion, 1)
            let neither = try await store.validation(
                of: Sample.activationID(2), for: Sample.hash(99), in: Sample.draw)
            try expect(neither.license == nil && neither.activation == nil, "something unknown was found")
            try expectEqual(neither.catalogVersion, 1)
        },
    ]
}

extension LicenseFilter {
    fileprivate static func ending(after: Timestamp? = nil, before: Timestamp? = nil) -> LicenseFilter {
        var filter = LicenseFilter(tenant: Sample.acme, now: Sample.now)
        (filter.expiresAfter, filter.expiresBefore) = (after, before)
        return filter
    }
}
