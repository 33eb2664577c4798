import TenureCore
import TenureLicensing
import TenureLicensingServer
import TenureServerKit
import TenureStore

extension StoreContract {
    static let changes: [Case] = [
        Case("saving a license again updates it, including its key") { store in
            let license = Sample.license(1)
            let changed = Sample.license(
                1, policy: Sample.team, key: 2, holder: "ada", end: Sample.now, state: .suspended,
                firstActivatedAt: Sample.now)
            try await store.saveCatalog(and: [.license(license), .license(changed)])
            try expectEqual(try await store.license(license.id), changed)
            try expectEqual(try await store.load(.key(Sample.hash(2), in: Sample.notes)).license, changed)
            try expectEqual(try await store.load(.key(Sample.hash(1), in: Sample.notes)).license, nil)
        },
        Case("an update of a loaded license is saved completely") { store in
            try await store.saveCatalog(and: [.license(Sample.license(1, holder: "ada"))])
            let states: [License] = [
                Sample.license(1, holder: "ada", state: .active, firstActivatedAt: Sample.now),
                Sample.license(1, holder: "bob", state: .active, firstActivatedAt: Sample.now),
                Sample.license(1, policy: Sample.team, key: 7, state: .revoked),
                Sample.license(1, policy: Sample.team, key: 7, end: Sample.now, state: .returned),
            ]
            for license in states {
                let (queries, bound) = LicenseQueries.bind(.id(license.id))
                try await store.perform(
                    Transaction(bound) { results in
                        TransactionResult((), [.put(license, over: results[queries.license])])
                    })
                try expectEqual(try await store.license(license.id), license)
            }
        },
        Case("a key is unique within a product, and licenses of different products may share it") { store in
            try await store.saveCatalog(and: [.license(Sample.license(1, key: 7))])
            try await expectFailure(.taken, of: "licenses.by_key") {
                try await store.save([.license(Sample.license(2, key: 7))])
            }
            try expectEqual(try await store.license(Sample.id(2)), nil)
            try await store.save([
                .license(Sample.license(3, product: Sample.draw, key: 7)),
                .license(Sample.license(4, product: Sample.boltNotes, key: 7)),
            ])
            let found = try await store.validation(
                of: Sample.activationID(1), for: Sample.hash(7), in: Sample.boltNotes)
            try expectEqual(found.license?.id, Sample.id(4))
        },
        Case("a failed change saves nothing, neither an event nor a new catalog version") { store in
            try await store.saveCatalog(and: [.license(Sample.license(1))])
            let version = try await store.catalogVersion()
            try await expectFailure(.taken, of: "licenses.by_key") {
                try await store.save([
                    .tenant(id: Sample.acme, name: "changed"), .license(Sample.license(2)),
                    .event(Sample.event(.licenseIssued, of: Sample.id(2))), .setting(name: "s", value: [1]),
                    .license(Sample.license(3, key: 1)),
                ])
            }
            try expectEqual(try await store.license(Sample.id(2)), nil)
            try expectEqual(try await store.events(EventFilter(tenant: Sample.acme), after: 0, limit: 10).count, 0)
            try expectEqual(try await store.setting("s"), nil)
            try expectEqual(try await store.catalogVersion(), version)
            try expectEqual(try await store.catalog().tenants[Sample.acme]?.name, "Acme")
        },
        Case("a failing change doesn't affect concurrent changes") { store in
            try await store.saveCatalog(and: [.license(Sample.license(0))])
            let failed = await withTaskGroup(of: Int?.self) { group in
                for number in 1...200 {
                    group.addTask {
                        let key = number.isMultiple(of: 10) ? 0 : number
                        do {
                            try await store.save([
                                .event(Sample.event(.licenseIssued, of: Sample.id(Int64(number)))),
                                .license(Sample.license(number, key: key)),
                            ])
                            return nil
                        } catch {
                            return number
                        }
                    }
                }
                var failed: [Int] = []
                for await number in group { if let number { failed.append(number) } }
                return failed.sorted()
            }
            try expectEqual(failed, Array(stride(from: 10, through: 200, by: 10)))
            let stored = try await store.licenses(LicenseFilter(now: Sample.now), after: Sample.id(0), limit: 1_000)
                .rows
            try expectEqual(stored.map { Int($0.id.number) }, (1...200).filter { !$0.isMultiple(of: 10) })
            let events = try await store.events(EventFilter(tenant: Sample.acme), after: 0, limit: 1_000)
            try expectEqual(events.compactMap(\.event.subject.license).sorted(), stored.map(\.id))
        },
        Case("no update is lost when concurrent changes read and write the same catalog row") { store in
            try await withThrowingTaskGroup(of: Void.self) { group in
                try await store.save([.setting(name: "unused", value: [])])
                for number in 0..<100 {
                    group.addTask { try await store.countUp(by: number) }
                }
                try await group.waitForAll()
            }
            let version = try await store.catalogVersion()
            let names =
                try await store.catalog().tenants[Sample.acme]?.name.split(separator: " ").map(String.init) ?? []
            try expectEqual(names.count, 100)
            try expectEqual(Set(names).count, 100)
            try expectEqual(version, 100)
        },
        Case("each concurrent change returns its own result, whether or not it writes") { store in
            let answers = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
                for number in 0..<100 {
                    group.addTask {
                        let setting = SettingRecord(name: "\(number)", value: [])
                        let saves: [RowWrite] = number.isMultiple(of: 2) ? [.insert(setting)] : []
                        return (number, try await store.perform(Transaction { TransactionResult(number, saves) }))
                    }
                }
                var answers: [(Int, Int)] = []
                for try await answer in group { answers.append(answer) }
                return answers
            }
            for (bound, answered) in answers { try expectEqual(answered, bound) }
        },
        Case("the next read finds an acknowledged change") { store in
            try await store.saveCatalog()
            for number in 0..<50 {
                let license = Sample.license(number)
                try await store.save([.license(license)])
                let found = try await store.validation(
                    of: Sample.activationID(0), for: license.key.hash, in: license.product)
                try expectEqual(found.license, license)
            }
        },
    ]
}

extension Store {
    /// Appends a word to the name of a tenant; every decision must see all earlier words.
    fileprivate func countUp(by number: Int) async throws {
        let (plan, catalog) = (CountingQueries.plan, CountingQueries.plan.queries.catalog)
        let puts = plan.queries.puts
        try await perform(
            Transaction(plan.bind(PutValues([.tenant(id: Sample.acme, name: "")]))) { results in
                let name = catalog.catalog(in: results).tenants[Sample.acme]?.name ?? ""
                let put = Put.tenant(id: Sample.acme, name: name + " \(number)")
                return TransactionResult((), puts.saves(of: [put], in: results))
            })
    }
}

/// The queries of a decision about a tenant that reads the whole catalog.
private struct CountingQueries: Sendable {
    let catalog: CatalogRowQueries
    let puts: PutQueries

    static let plan = QueryPlan(isAlone: true) { query in
        CountingQueries(catalog: FeatureSet.tenure.catalog.queries(&query), puts: PutQueries(&query, alone: true))
    }
}
