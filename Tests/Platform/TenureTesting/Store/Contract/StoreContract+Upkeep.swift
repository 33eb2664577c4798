import TenureCore
import TenureLicensing
import TenureLicensingServer
import TenureServerKit
import TenureStore

extension StoreContract {
    static let upkeep: [Case] = [
        Case("a device was last seen when it was activated or sent a request, whichever is later") { store in
            let later = Sample.now.adding(days: 1)
            try await store.saveCatalog(
                and: [.license(Sample.license(1))]
                    + (1...4).map { number in
                        let released = number == 4 ? later : nil
                        return .activation(Sample.activation(number, of: Sample.id(1), released: released))
                    })
            try expectEqual(try await store.lastSeen(), Array(repeating: Sample.now, count: 4))
            try await store.recordSightings([
                (Sample.activationID(4), later), (Sample.activationID(1), later),
                (Sample.activationID(2), Sample.now.adding(seconds: -5)),
            ])
            try expectEqual(try await store.lastSeen(), [later, Sample.now, Sample.now, later])
            try expectEqual(try await store.lastSeen(includingReleased: false), [later, Sample.now, Sample.now])
            try await store.recordSightings([])
        },
        Case("the time at which a device was last seen never moves backwards") { store in
            try await store.saveCatalog(and: [
                .license(Sample.license(1)), .activation(Sample.activation(1, of: Sample.id(1))),
            ])
            for (seconds, expected) in [(10, 10), (9, 10), (11, 11), (11, 11), (-1, 11)] as [(Int64, Int64)] {
                try await store.recordSightings([(Sample.activationID(1), Sample.now.adding(seconds: seconds))])
                try expectEqual(try await store.lastSeen(), [Sample.now.adding(seconds: expected)])
            }
        },
        Case("the last-seen times of thousands of devices are all written at once") { store in
            let many = 8_100
            try await store.saveCatalog(
                and: [.license(Sample.license(1))]
                    + (0..<many).map { .activation(Sample.activation($0, of: Sample.id(1))) })
            let later = Sample.now.adding(seconds: 1)
            try await store.recordSightings((0..<many).map { (Sample.activationID($0), later) })
            try expectEqual(
                try await store.allActiveDevices(of: Sample.id(1)).map(\.lastSeenAt),
                Array(repeating: later, count: many))
        },
        Case("a reported name and system replace the stored ones, except on a released device") { store in
            guard let old = DeviceSystem(name: "macOS", version: "14.6"),
                let new = DeviceSystem(name: "macOS", version: "15.1")
            else { preconditionFailure("the samples are usable") }
            let many = 300
            try await store.saveCatalog(
                and: [.license(Sample.license(1))]
                    + (0..<many).map { number in
                        let released = number == 0 ? Sample.now : nil
                        return .activation(
                            Sample.activation(number, of: Sample.id(1), system: old, released: released))
                    })
            let report = DeviceReport(name: "Ada’s new laptop", system: new)
            try await store.recordReports(
                Dictionary(uniqueKeysWithValues: (0...many).map { (Sample.activationID($0), report) }))
            let activations = try await store.activations(of: Sample.id(1), includingReleased: true)
            try expectEqual(activations.count { $0.system == new && $0.name == report.name }, many - 1)
            try expectEqual(try await store.activation(Sample.activationID(0))?.system, old)
            try await store.recordReports([:])
            try await store.recordReports([Sample.activationID(1): DeviceReport(name: "Named", system: nil)])
            let renamed = try await store.activation(Sample.activationID(1))
            try expectEqual(renamed?.name, "Named")
            try expectEqual(renamed?.system, new)
        },
        Case("the census counts licenses by recorded state, active devices, and test licenses separately") {
            store in
            try expectEqual(try await store.census(), Census(licenses: [:], liveActivations: 0))
            try await store.saveCatalog(and: [
                .license(Sample.license(1)), .license(Sample.license(2, end: Sample.now.adding(days: -9))),
                .license(Sample.license(3, state: .revoked)), .activation(Sample.activation(1, of: Sample.id(1))),
                .activation(Sample.activation(2, of: Sample.id(1), released: Sample.now)),
                .license(Sample.license(4, isTest: true)), .license(Sample.license(5, state: .revoked, isTest: true)),
                .activation(Sample.activation(3, of: Sample.id(4))),
                .activation(Sample.activation(4, of: Sample.id(4), released: Sample.now)),
            ])
            let census = try await store.census()
            try expectEqual(census.licenses.filter { $0.value > 0 }, [.issued: 2, .revoked: 1])
            try expectEqual(census.liveActivations, 1)
            try expectEqual(census.testLicenses, 2)
            let ended = Sample.license(6, end: Sample.now.adding(days: -9), isTest: true)
            try await store.save([.license(ended)])
            let found = try await store.view(Census.ended, [.of(Sample.now)])
            try expectEqual(found, [.licenses(.issued, isTest: false, 1)])
        },
        Case("the integrity check of an undamaged store finds no faults") { store in
            try await store.saveCatalog(and: [
                .license(Sample.license(1)), .activation(Sample.activation(1, of: Sample.id(1))),
                .event(Sample.event(.licenseIssued, of: Sample.id(1))),
            ])
            try expectEqual(try await store.faults(), [])
        },
        Case("a backup made during writes is a complete store that can be opened and written") { store, subject in
            let licenses = (0..<500).map { Sample.license($0, holder: String(repeating: "h", count: 200)) }
            try await store.saveCatalog(
                and: licenses.map(Put.license) + [.event(Sample.event(.licenseIssued, of: Sample.id(1)))])
            let path = "\(subject.folder)/backup-\(UInt64.random(in: 0 ... .max))"
            async let writing: Void = {
                for number in 500..<560 { try await store.save([.license(Sample.license(number))]) }
            }()
            try await store.backup(to: path) { _ in }
            try await writing
            try await expectFailure(.exists) { try await store.backup(to: path) { _ in } }
            let copy = try await subject.openBackup(path)
            let filter = LicenseFilter(now: Sample.now)
            let copied = try await copy.licenses(filter, after: nil, limit: 1_000).rows
            try expectEqual(Array(copied.prefix(500)), licenses)
            try expectEqual(
                copied, Array(try await store.licenses(filter, after: nil, limit: 1_000).rows.prefix(copied.count)))
            try expectEqual(try await copy.catalog(), try await store.catalog())
            try expectEqual(try await copy.events(EventFilter(tenant: Sample.acme), after: 0, limit: 10).count, 1)
            try expectEqual(try await copy.faults(), [])
            try await copy.save([.setting(name: "writable", value: [1])])
            try expectEqual(try await store.setting("writable"), nil)
            await copy.close()
        },
        Case("the reported progress of a backup increases up to 1") { store, subject in
            try await store.saveCatalog()
            let shares = Shares()
            try await store.backup(to: "\(subject.folder)/progress-\(UInt64.random(in: 0 ... .max))") { share in
                shares.add(share)
            }
            try expectEqual(shares.all.sorted(), shares.all)
            try expectEqual(shares.all.last, 1)
        },
        Case("changes during a close are saved or refused as closed, and later requests are refused") { store in
            try await store.saveCatalog(and: [.license(Sample.license(1))])
            let results = await withTaskGroup(of: StoreError.Code?.self) { group in
                for number in 0..<50 {
                    group.addTask {
                        do throws(StoreError) {
                            try await store.perform(
                                Transaction {
                                    TransactionResult((), [.insert(SettingRecord(name: "\(number)", value: []))])
                                })
                            return nil
                        } catch {
                            return error.code
                        }
                    }
                }
                group.addTask {
                    await store.close()
                    return nil
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            try expect(results.allSatisfy { $0 == nil || $0 == .closed }, "a change failed otherwise: \(results)")
            try await expectFailure(.closed) { try await store.save([]) }
            try await expectFailure(.closed) { _ = try await store.catalogVersion() }
            try await expectFailure(.closed) { _ = try await store.catalog() }
            try await expectFailure(.closed) { try await store.recordSightings([(Sample.activationID(1), Sample.now)]) }
            try await expectFailure(.closed) {
                _ = try await store.validation(of: Sample.activationID(1), for: Sample.hash(1), in: Sample.notes)
            }
            await store.close()
        },
    ]
}

extension Store {
    fileprivate func lastSeen(includingReleased: Bool = true) async throws -> [Timestamp] {
        try await devices(of: Sample.id(1), includingReleased: includingReleased).all.map(\.lastSeenAt)
    }
}

// Needs no lock: a backup calls `add` from one task, and the list is read after the backup has returned.
private final class Shares: @unchecked Sendable {
    private(set) var all: [Double] = []
    func add(_ share: Double) { all.append(share) }
}
