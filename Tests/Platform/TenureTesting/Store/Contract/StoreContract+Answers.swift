import TenureCore
import TenureLicensingServer
import TenureServerKit
import TenureStore

extension StoreContract {
    static let answers: [Case] = [
        Case("an idempotent response is saved with its change and read back unchanged") { store in
            try await store.saveCatalog()
            let answer = Sample.answer(1)
            try expectEqual(try await store.answer(to: answer.key), nil)
            try await store.save([.license(Sample.license(1)), .remember(answer)])
            try expectEqual(try await store.answer(to: answer.key), answer)
        },
        Case("a failed change saves no idempotent response") { store in
            try await store.saveCatalog(and: [.license(Sample.license(1))])
            let result = Sample.license(2, key: 1)
            _ = try? await store.save([.remember(Sample.answer(1)), .license(result)])
            try expectEqual(try await store.answer(to: Sample.answer(1).key), nil)
        },
        Case("a later idempotent response replaces an earlier one, and old ones are deleted") { store in
            try await store.saveCatalog()
            let later = Sample.answer(1, at: Sample.now.adding(days: 1))
            try await store.save([.remember(Sample.answer(1)), .remember(Sample.answer(2))])
            try await store.save([.remember(later)])
            try await store.forgetAnswers(before: Sample.now.adding(seconds: 1))
            try expectEqual(try await store.answer(to: Sample.answer(1).key), later)
            try expectEqual(try await store.answer(to: Sample.answer(2).key), nil)
        },
        Case("an idempotent response is deleted after a day, and its row after 120 days") { store in
            try await store.saveCatalog()
            let (early, late) = (Sample.answer(1), Sample.answer(2, at: Sample.now.adding(seconds: 1)))
            try await store.save([.remember(early), .remember(late)])
            let (responses, rows) = (
                RetentionRule.idempotentResponses, RetentionRule.responses(IdempotentResponse.self)
            )
            let day = Sample.now.adding(seconds: IdempotentResponse.responseLifetime + 1)
            for rule in [responses, rows] { _ = try await rule.group(in: store, at: day) }
            var rest = early
            rest.sealed = nil
            try expectEqual(try await store.answer(to: early.key), rest)
            try expectEqual(try await store.answer(to: late.key), late)
            let end = Sample.now.adding(seconds: IdempotentResponse.lifetime + 1)
            for rule in [responses, rows] { _ = try await rule.group(in: store, at: end) }
            try expectEqual(try await store.answer(to: early.key), nil)
            try expectEqual(try await store.answer(to: late.key)?.sealed, nil)
            try expectEqual(try await store.answer(to: late.key)?.recordNumbers, [2, .max])
        },
        Case("of concurrent requests with one idempotency key, exactly one is carried out") { store in
            try await store.saveCatalog()
            let answer = Sample.answer(1)
            let plan = RowQueryPlans.answer
            let carriedOut = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 1...20 {
                    group.addTask {
                        try await store.perform(
                            Transaction(plan.bind(answer.key)) { results in
                                guard results[plan.queries] == nil else { return TransactionResult(false) }
                                return TransactionResult(true, [.insert(Sample.license(number)), .insert(answer)])
                            })
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            try expectEqual(carriedOut, 1)
            try expectEqual(try await store.census().licenses[.issued], 1)
        },
    ]
}

extension Store {
    fileprivate func answer(to key: Digest) async throws -> IdempotentResponse? {
        try await load(RowQueryPlans.answer, key)
    }
}

extension Sample {
    static func answer(
        _ number: Int, at time: Timestamp = now, sealed: [UInt8]? = [1, 2, 3]
    ) -> IdempotentResponse {
        IdempotentResponse(
            key: hash(number), fingerprint: hash(number + 1),
            records: IdempotentResponse.code([Int64(number), .max]), actor: .operator("tok_1"), sealed: sealed,
            at: time)
    }
}
