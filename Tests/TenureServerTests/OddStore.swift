import TenureStore

/// A store that has a clock of its own, fails its check, or saves nothing.
struct OddStore: Store {
    let inner: any Store
    var clock: @Sendable () async -> Int64? = { nil }
    var check: @Sendable (TableShape?) throws(StoreError) -> [String] = { _ throws(StoreError) in [] }

    var refusal: @Sendable () -> StoreError? = { nil }

    func time() async throws(StoreError) -> Int64? { await clock() }

    func integrityFaults(of table: TableShape?) async throws(StoreError) -> [String] { try check(table) }
}

// What is only passed on.
extension OddStore {
    func perform<Answer: Sendable>(_ change: Change<Answer>) async throws(StoreError) -> Answer {
        let seen = try await inner.look(change.asked)
        if !change.decide(seen).saves.isEmpty, let refusal = refusal() { throw refusal }
        return try await inner.perform(change)
    }

    func look(_ asked: Asked) async throws(StoreError) -> Seen { try await inner.look(asked) }

    func rows(_ listing: ListingShape) async throws(StoreError) -> [StoredRow] { try await inner.rows(listing) }

    func answers(_ view: ViewShape, _ list: [StoredValue]) async throws(StoreError) -> [any Sendable] {
        try await inner.answers(view, list)
    }

    func note(_ note: Note) async throws(StoreError) { try await inner.note(note) }

    func backup(to path: String, progress: @Sendable (Double) -> Void) async throws(StoreError) {
        try await inner.backup(to: path, progress: progress)
    }

    func lead(_ role: Role) async -> LeaderTerm? { await inner.lead(role) }

    func snapshot() async throws(StoreError) -> any StoreSnapshot { try await inner.snapshot() }

    func adopt(_ rows: [StoredRow], of table: TableShape) async throws(StoreError) {
        try await inner.adopt(rows, of: table)
    }

    func close() async { await inner.close() }
}
