package import TenureStore

/// A store that wraps another store, and forwards every call that it doesn't override.
package protocol StoreDecorator: Store {
    /// The store that calls are forwarded to.
    var inner: any Store { get }
}

extension StoreDecorator {
    package func fetch(_ bound: BoundQuery) async throws(StoreError) -> QueryResult { try await inner.fetch(bound) }

    package func fetchInPlace(_ bound: BoundQuery) throws(StoreError) -> QueryResult? { try inner.fetchInPlace(bound) }

    package func rows(_ listing: ListingShape) async throws(StoreError) -> [StoredRow] { try await inner.rows(listing) }

    package func answers(_ view: NamedQueryShape, _ list: [StoredValue]) async throws(StoreError) -> [any Sendable] {
        try await inner.answers(view, list)
    }

    package func note(_ note: LossyUpdate) async throws(StoreError) { try await inner.note(note) }

    package func snapshot() async throws(StoreError) -> any StoreSnapshot { try await inner.snapshot() }

    package func adopt(_ rows: [StoredRow], of table: TableShape) async throws(StoreError) {
        try await inner.adopt(rows, of: table)
    }

    package func backup(to path: String, progress: @Sendable (Double) -> Void) async throws(StoreError) {
        try await inner.backup(to: path, progress: progress)
    }

    package func integrityFaults(of table: TableShape?) async throws(StoreError) -> [String] {
        try await inner.integrityFaults(of: table)
    }

    package func schemaFaults(of schema: StoreSchema) async throws(StoreError) -> [SchemaFault] {
        try await inner.schemaFaults(of: schema)
    }

    package func time() async throws(StoreError) -> Int64? { try await inner.time() }

    package func lead(_ role: Role) async -> LeaderTerm? { await inner.lead(role) }

    package func close() async { await inner.close() }
}
