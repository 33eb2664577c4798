import TenureCore
import TenureLicensing
import TenureLicensingServer
import TenureStore

extension StoreContract {
    static let trials: [Case] = [
        Case("a trial is found only by its own product and device, and read back unchanged") { store in
            try await store.saveCatalog()
            let trial = Sample.trial(1)
            try expectEqual(try await store.trial(trial.name), nil)
            try await store.save([.trial(trial), .trial(Sample.trial(2))])
            try expectEqual(try await store.trial(trial.name), trial)
            try expectEqual(try await store.trial(Sample.trial(1, of: Sample.draw).name), nil)
            try expectEqual(try await store.trial(Sample.trial(1, of: Sample.boltNotes).name), nil)
            try expectEqual(try await store.trial(Sample.trial(2).name), Sample.trial(2))
        },
        Case("a second trial of a device is refused, in the same change and in a later one") { store in
            try await store.saveCatalog()
            let (first, later) = (Sample.trial(1), Sample.trial(1, start: Sample.now.adding(days: 1)))
            try await expectFailure(.taken, of: "trials.key") {
                try await store.perform(Transaction { TransactionResult((), [.insert(first), .insert(later)]) })
            }
            try expectEqual(try await store.trial(first.name), nil)
            try await store.perform(Transaction { TransactionResult((), [.insert(first)]) })
            try await expectFailure(.taken, of: "trials.key") {
                try await store.perform(Transaction { TransactionResult((), [.insert(later)]) })
            }
            try expectEqual(try await store.trial(later.name), first)
        },
        Case("a trial stays stored when its product is removed") { store in
            try await store.saveCatalog(and: [.trial(Sample.trial(1, of: Sample.draw))])
            try await store.save([.removeProduct(Sample.draw)])
            try expectEqual(try await store.trial(Sample.trial(1, of: Sample.draw).name) != nil, true)
        },
        Case("of concurrent trial starts on several servers, one is stored and returned to all callers") { _, subject in
            try await subject.withShared { stores in
                try await stores[0].saveCatalog()
                let plan = RowQueryPlans.trial
                let starts = try await withThrowingTaskGroup(of: Timestamp.self) { group in
                    for number in 0..<20 {
                        let mine = Sample.trial(1, start: Sample.now.adding(seconds: Int64(number)))
                        group.addTask {
                            try await stores[number % stores.count].perform(
                                Transaction(plan.bind(.init(product: mine.product, device: mine.device))) { results in
                                    if let existing = results[plan.queries] { return TransactionResult(existing.start) }
                                    return TransactionResult(mine.start, [.insert(mine)])
                                })
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                try expectEqual(Set(starts).count, 1)
                try expectEqual(try await stores[0].trial(Sample.trial(1).name)?.start, starts.first)
            }
        },
    ]
}

extension Store {
    fileprivate func trial(_ name: TrialName) async throws -> Trial? {
        let (plan, query) = (RowQueryPlans.trial, RowQueryPlans.trial.queries)
        return try await load(plan.bind(.init(product: name.product, device: name.device))) { results in results[query]
        }
    }
}

extension Sample {
    static func trial(_ device: Int, of product: ProductRef = notes, start: Timestamp = now) -> Trial {
        Trial(product: product, device: hash(device), start: start, recordedAt: start.adding(seconds: 5))
    }
}
