import TenureCore
import TenureLicensing
import TenureLicensingServer
import TenureServerKit
import TenureStore

extension StoreContract {
    static let catalogs: [Case] = [
        Case("a change of the catalog or of a signing key raises the catalog's version by one") { store in
            try expectEqual(try await store.catalogVersion(), 0)
            try await store.saveCatalog()
            try expectEqual(try await store.catalogVersion(), 1)
            let changes: [[Put]] = [
                [.tenant(id: Sample.acme, name: "A")],
                [.product(Product(ref: Sample.draw, name: "D", keyPrefix: Sample.prefix("DRAW")))],
                [.policy(Policy(id: Sample.pro, name: "P"), in: Sample.draw)],
                [.removePolicy(PolicyRef(product: Sample.draw, policy: Sample.team))],
                [.removeProduct(Sample.boltNotes)],
                [.signingKey(Sample.signingKey("k1", status: .primary, at: Sample.now))],
                [.tenant(id: Sample.acme, name: "A"), .tenant(id: Sample.bolt, name: "B")],
            ]
            for (index, writes) in changes.enumerated() {
                try await store.save(writes)
                try expectEqual(try await store.catalogVersion(), Int64(index + 2))
            }
            try expectEqual(try await store.catalog().version, 8)
            let query = RowQueryPlans.version.queries
            try expectEqual(
                try await store.load(RowQueryPlans.version.bind()) { results in results[query]?.version }, 8)
        },
        Case("licenses, activations, events, tokens and settings don't change the catalog's version") { store in
            try await store.saveCatalog()
            try await store.save([
                .license(Sample.license(1)), .activation(Sample.activation(1, of: Sample.id(1))),
                .event(Sample.event(.licenseIssued, of: Sample.id(1))), .setting(name: "s", value: [1]),
                .token(
                    TokenRecord(
                        id: "t", tenant: Sample.acme, name: "", scopes: [], hash: Sample.hash(1), createdAt: Sample.now,
                        expiresAt: nil, revokedAt: nil)),
            ])
            try await store.save([])
            try expectEqual(try await store.catalogVersion(), 1)
        },
        Case("each of several waiting changes sees the catalog version that the previous change saved") { store in
            @Sendable func named(_ number: Int) -> Put { .tenant(id: Sample.acme, name: "\(number)") }
            let plan = PutQueries.alone
            let values = PutValues([named(0)])
            let versions = try await withThrowingTaskGroup(of: Int64.self) { group in
                for number in 0..<40 {
                    group.addTask {
                        try await store.perform(
                            Transaction(plan.bind(values)) { results in
                                let version = plan.queries.version(in: results)
                                return TransactionResult(version, plan.queries.saves(of: [named(number)], in: results))
                            })
                    }
                }
                var versions: [Int64] = []
                for try await version in group { versions.append(version) }
                return versions.sorted()
            }
            try expectEqual(versions, Array(0..<40))
        },
        Case("only a policy without licenses can be removed") { store in
            try await store.saveCatalog(and: [.license(Sample.license(1))])
            try await expectFailure(.inUse) {
                try await store.save([.removePolicy(PolicyRef(product: Sample.notes, policy: Sample.pro))])
            }
            try await store.save([.removePolicy(PolicyRef(product: Sample.notes, policy: Sample.team))])
            let policies = try await store.catalog()[Sample.notes]?.policies
            try expectEqual(policies.map { Array($0.keys) }, [Sample.pro])
        },
        Case("only a product without licenses can be removed, and its policies are removed with it") { store in
            try await store.saveCatalog(and: [.license(Sample.license(1))])
            try await expectFailure(.inUse) { try await store.save([.removeProduct(Sample.notes)]) }
            try expectEqual(try await store.catalog()[Sample.notes]?.policies.count, 2)
            try await store.save([.removeProduct(Sample.draw)])
            try expectEqual(try await store.catalog()[Sample.draw], nil)
            try expectEqual(try await store.catalog().tenants[Sample.acme]?.products.count, 1)
        },
        Case("a query counts the licenses of each policy") { store in
            try await store.saveCatalog(and: [
                .license(Sample.license(1)), .license(Sample.license(2)),
                .license(Sample.license(3, policy: Sample.team)), .license(Sample.license(4, product: Sample.draw)),
            ])
            let query = RowQueryPlans.policyCounts.queries
            let counts = try await store.load(RowQueryPlans.policyCounts.bind()) { results in Set(results[query]) }
            try expectEqual(
                counts,
                [
                    PolicyCount(policy: PolicyRef(product: Sample.notes, policy: Sample.pro), count: 2),
                    PolicyCount(policy: PolicyRef(product: Sample.notes, policy: Sample.team), count: 1),
                    PolicyCount(policy: PolicyRef(product: Sample.draw, policy: Sample.pro), count: 1),
                ])
        },
    ]
}
