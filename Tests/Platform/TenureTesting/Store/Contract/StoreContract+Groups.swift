import TenureCore
import TenureLicensing
import TenureLicensingServer
import TenureServerKit
import TenureStore

/// Cases in which an engine may run several changes in one transaction. Each must see the changes before it.
extension StoreContract {
    static let groups: [Case] = [
        Case("a row that a change saves is found and counted by the changes after it") { store in
            try await store.saveCatalog()
            let plan = NumberingQueries.plan
            let numbers = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<100 {
                    group.addTask {
                        let product = Sample.notes
                        return try await store.perform(
                            Transaction(plan.bind(product)) { results in
                                let number = results[plan.queries.count]
                                let last = results[plan.queries.all].last
                                guard results[plan.queries.all].count == number,
                                    last.map({ $0.id.number + 1 }) ?? 0 == number
                                else { return TransactionResult(-1) }
                                return TransactionResult(number, [.insert(Sample.license(number))])
                            })
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            try expectEqual(numbers.sorted(), Array(0..<100))
        },
        Case("a query for a set's first rows skips those that earlier changes took out of the set") { store in
            let license = Sample.license(1)
            try await store.saveCatalog(
                and: [.license(license)]
                    + (0..<60).map {
                        .activation(Sample.activation($0, of: license.id, at: Sample.now.adding(seconds: Int64($0))))
                    })
            let plan = FirstSeats.plan
            let released = try await withThrowingTaskGroup(of: [ActivationID].self) { group in
                for _ in 0..<30 {
                    group.addTask {
                        try await store.perform(
                            Transaction(plan.bind(license.id)) { results in
                                let first = results[plan.queries]
                                return TransactionResult(
                                    first.map(\.id), first.map { .replace($0, by: $0.released(at: Sample.now)) })
                            })
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let pairs = (0..<30).map { pair in [2 * pair, 2 * pair + 1].map(Sample.activationID) }
            try expectEqual(released.sorted { $0[0].high < $1[0].high }, pairs)
            try expectEqual(try await store.activations(of: license.id, includingReleased: false), [])
        },
        Case("changes that alternately insert and remove a row each see its current state") { store in
            let plan = RowQueryPlans.setting
            let setting = SettingRecord(name: "there", value: [1])
            let came = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<61 {
                    group.addTask {
                        try await store.perform(
                            Transaction(plan.bind(setting.name)) { results in
                                if let there = results[plan.queries] {
                                    return TransactionResult(false, [.remove(there)])
                                }
                                return TransactionResult(true, [.insert(setting)])
                            })
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            try expectEqual(came, 31)
            try expectEqual(try await store.setting("there"), [1])
        },
        Case("of concurrent inserts of one row on several servers, one is stored and all changes return it") {
            _, subject in
            try await subject.withShared { stores in
                let plan = RowQueryPlans.setting
                for round in 0..<8 {
                    let stored = try await withThrowingTaskGroup(of: [UInt8].self) { group in
                        for number in 0..<40 {
                            let mine = SettingRecord(name: "\(round)", value: [UInt8(number)])
                            group.addTask {
                                try await stores[number % stores.count].perform(
                                    Transaction(plan.bind(mine.name)) { results in
                                        if let there = results[plan.queries] { return TransactionResult(there.value) }
                                        return TransactionResult(mine.value, [.insert(mine)])
                                    })
                            }
                        }
                        return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
                    }
                    try expectEqual(stored.count, 1)
                    try expectEqual(try await stores[0].setting("\(round)"), stored.first)
                }
            }
        },
    ]
}

private struct NumberingQueries: Sendable {
    let count: CountQuery
    let all: RowsQuery<License>

    static let plan = QueryPlan(for: ProductRef.self) { query in
        let count = query.count(License.ofProduct, upTo: 1_000) { [.of($0.tenant), .of($0.product)] }
        return NumberingQueries(
            count: count,
            all: query.rows(
                License.ofProduct, upTo: 1_000, .constant(Sample.acme), .constant(Sample.notes.product)))
    }
}

private enum FirstSeats {
    static let plan = QueryPlan(for: LicenseID.self) { query in query.rows(Activation.live, upTo: 2) { [.of($0)] } }
}

extension Activation {
    /// Returns the activation as released by its holder.
    func released(at time: Timestamp) -> Activation {
        Activation(
            id: id, license: license, identity: identity, name: name, system: system, activatedAt: activatedAt,
            releasedAt: time, releasedBy: .holder)
    }
}
