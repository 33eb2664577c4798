import TenureCore
import TenureLicensing
import TenureLicensingServer
import TenureStore

extension StoreContract {
    static let selfReleases: [Case] = [
        Case("an activation is read back with each kind of releaser, and after its release was undone") { store in
            let id = Sample.activationID(1)
            for releaser in Activation.Releaser.allCases {
                let released = Sample.activation(1, of: Sample.id(1), released: Sample.now, by: releaser)
                if releaser == .device { try await store.saveCatalog(and: [.license(Sample.license(1))]) }
                try await store.save([.activation(released)])
                try expectEqual(try await store.activation(id), released)
                let record = try await store.validation(of: id, for: Sample.hash(1), in: Sample.notes)
                try expectEqual(record.activation, released)
            }
            let restored = Sample.activation(1, of: Sample.id(1))
            try await store.save([.activation(restored)])
            try expectEqual(try await store.activation(id), restored)
        },
        Case("the times of the holder's releases from a license are found, latest first, and no other releases") {
            store in
            func moment(_ days: Int) -> Timestamp { Sample.now.adding(days: days) }
            try await store.saveCatalog(and: [
                .license(Sample.license(1)), .license(Sample.license(2)),
                .activation(Sample.activation(1, of: Sample.id(1), released: moment(1), by: .holder)),
                .activation(Sample.activation(2, of: Sample.id(1), released: moment(2), by: .holder)),
                .activation(Sample.activation(3, of: Sample.id(1), released: moment(3), by: .device)),
                .activation(Sample.activation(4, of: Sample.id(1), released: moment(3), by: .operator)),
                .activation(Sample.activation(5, of: Sample.id(1), released: moment(3))),
                .activation(Sample.activation(6, of: Sample.id(2), released: moment(3), by: .holder)),
                .activation(Sample.activation(7, of: Sample.id(1))),
            ])
            for (after, found) in [(0, [1, 2]), (1, [2]), (2, [])] {
                let loaded = try await store.load(.activation(Sample.activationID(7)))
                let releases = loaded.releasesByHolder.filter { $0 > moment(after) }
                try expectEqual(releases, found.reversed().map(moment))
            }
            try expectEqual(try await store.load(.activation(Sample.activationID(6))).releasesByHolder, [moment(3)])
        },
        Case("concurrent releases by the holder on several servers don't exceed a limit of three") { _, subject in
            try await subject.withShared { stores in
                let license = Sample.license(1)
                try await stores[0].saveCatalog(
                    and: [.license(license)] + (1...20).map { .activation(Sample.activation($0, of: license.id)) })
                let created = try await withThrowingTaskGroup(of: Bool.self) { group in
                    for number in 1...20 {
                        group.addTask {
                            let (queries, bound) = LicenseQueries.bind(.activation(Sample.activationID(number)))
                            return try await stores[number % stores.count].perform(
                                Transaction(bound) { results in
                                    let loaded = queries.loaded(in: results)
                                    if loaded.releasesByHolder.count >= 3 { return TransactionResult(false) }
                                    let released = Sample.activation(
                                        number, of: license.id, released: Sample.now, by: .holder)
                                    return TransactionResult(true, [.put(released, over: loaded.activation)])
                                })
                        }
                    }
                    return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
                }
                try expectEqual(created, 3)
                let live = try await stores[0].activations(of: license.id, includingReleased: false)
                try expectEqual(live.count, 17)
            }
        },
    ]
}
