import TenureCore
import TenureMarketplace
package import TenureStore

/// Checks that changes have the same results on every engine, one by one or many in one transaction.
///
/// The changes must read the same rows, fail in the same way and leave the same contents.
package enum SameAnswers {
    /// A store on which a test groups the changes.
    package struct Subject: Sendable {
        /// The store's name in error messages.
        package let name: String
        /// The number of changes per group.
        package let groups: Int
        /// The store, which is empty at the start of a run.
        package let store: any Store
        /// Runs changes in order, in as few transactions as possible, and resumes each of them.
        package let carryOut: @Sendable ([any WaitingChange]) async throws -> Void

        package init(
            _ name: String, groups: Int, store: any Store,
            carryOut: @escaping @Sendable ([any WaitingChange]) async throws -> Void
        ) {
            self.name = name
            self.groups = groups
            self.store = store
            self.carryOut = carryOut
        }
    }

    package struct Result: Sendable, Equatable {
        package let outcomes: [RandomChange.Outcome?]
        /// The final contents by table; events lack their numbers, because a failing group skips some.
        package let contents: [String: [[StoredValue]]]
    }

    /// Runs the changes that a seed determines on a store.
    package static func play(seed: Int, on subject: Subject) async throws -> Result {
        try await subject.store.save(Sample.marketCatalog + Sample.shared)
        var dice = Dice(seed: seed)
        let changes = (0..<Int.random(in: 80...200, using: &dice)).map { _ in roll(&dice) }
        for start in stride(from: 0, to: changes.count, by: subject.groups) {
            try await subject.carryOut(Array(changes[start..<min(start + subject.groups, changes.count)]))
        }
        return Result(outcomes: changes.map(\.outcome), contents: try await subject.store.contents())
    }

    /// Runs the same changes on several stores and compares them with the first.
    ///
    /// Throws ``ContractViolation``.
    package static func check(seed: Int, on subjects: [Subject]) async throws {
        let expected = try await play(seed: seed, on: subjects[0])
        try expect(!expected.outcomes.contains(nil), "a change of run \(seed) was never resumed")
        for subject in subjects.dropFirst() {
            let found = try await play(seed: seed, on: subject)
            let index = zip(found.outcomes, expected.outcomes).enumerated().first { $1.0 != $1.1 }
            if let (number, (found, expected)) = index {
                throw ContractViolation(
                    message: "run \(seed), change \(number) on \(subject.name): \(differing(found, expected))",
                    file: #fileID, line: #line)
            }
            for (table, rows) in expected.contents {
                try expect(
                    found.contents[table] == rows, "run \(seed) leaves other rows of \(table) on \(subject.name)")
            }
        }
    }

    private static func differing(_ found: RandomChange.Outcome?, _ expected: RandomChange.Outcome?) -> String {
        guard case .saved(let found) = found, case .saved(let expected) = expected else {
            return "\(found.text), not \(expected.text)"
        }
        let queries = zip(found, expected).enumerated().filter { $1.0 != $1.1 }
        return queries.map { "look \($0): \(told($1.0)), not \(told($1.1))" }.joined(separator: "; ")
    }

    fileprivate static func told(_ rows: [[StoredValue]]) -> String {
        rows.map { row in "[" + row.map(\.text).joined(separator: ", ") + "]" }.joined(separator: " ")
    }

    private static let daily = RandomTable.software + RandomTable.upkeep

    private static func roll(_ dice: inout Dice) -> RandomChange {
        switch dice.upTo(12) {
        case 1: RandomTable.alone[dice.upTo(RandomTable.alone.count) - 1].change(&dice)
        case 2...6: daily[dice.upTo(daily.count) - 1].change(&dice)
        case 7...9: RandomTable.marketplaces[dice.upTo(RandomTable.marketplaces.count) - 1].change(&dice)
        default: RandomScene.all[dice.upTo(RandomScene.all.count) - 1](&dice)
        }
    }
}

extension Sample {
    /// Rows that other rows reference. They exist from the beginning and are never removed.
    ///
    /// A reference to a row that is inserted later in the group, or removed in it, fails one by one but succeeds in one
    /// transaction.
    fileprivate static let shared: [Put] =
        [1, 2, 3].map { .license(license($0)) }
        + [
            .marketplace(Marketplace(name: "", domain: "bolt.example"), of: bolt), .app(gameApp, of: bolt),
            .app(chessApp, of: bolt),
        ]
        + [(acme, "ada"), (acme, "Ada"), (acme, "bob"), (bolt, "ada"), (bolt, "Ada"), (bolt, "bob")].map {
            tenant, name in
            .account(Account(ref: ref(account(name), tenant: tenant), createdAt: now))
        }
}

extension RandomChange.Outcome? {
    fileprivate var text: String {
        switch self {
        case nil: "nothing"
        case .failed(let code, let key): "failed with \(code) \(key ?? "")"
        case .saved(let answer): "saved, having seen " + answer.map(SameAnswers.told).joined(separator: " / ")
        }
    }
}

extension StoredValue {
    fileprivate var text: String {
        switch self {
        case .null: "-"
        case .integer(let number): "\(number)"
        case .text(let text): text
        case .blob(let bytes): "x\(bytes.prefix(2))\(bytes.count)"
        case .flag(let flag): "\(flag)"
        case .name(let high, _): "\(high >> 32)"
        }
    }
}
