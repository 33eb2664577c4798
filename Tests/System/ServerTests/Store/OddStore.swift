import TenureServerKit
import TenureStore

/// A store with a separate clock, a failing check, or writes that fail.
struct OddStore: StoreDecorator {
    let inner: any Store
    var clock: @Sendable () async -> Int64? = { nil }
    var check: @Sendable (TableShape?) throws(StoreError) -> [String] = { _ throws(StoreError) in [] }

    var refusal: @Sendable () -> StoreError? = { nil }

    func time() async throws(StoreError) -> Int64? { await clock() }

    func integrityFaults(of table: TableShape?) async throws(StoreError) -> [String] { try check(table) }
    func schemaFaults(of schema: StoreSchema) async throws(StoreError) -> [SchemaFault] {
        try await inner.schemaFaults(of: schema)
    }

    func perform<Answer: Sendable>(_ change: Transaction<Answer>) async throws(StoreError) -> Answer {
        let seen = try await inner.fetch(change.bound)
        if !change.decide(seen).saves.isEmpty, let refusal = refusal() { throw refusal }
        return try await inner.perform(change)
    }
}
