public import TenureStore

extension PostgresStore {
    /// Runs the queries of a plan, in one round trip with other waiting requests for the same plan.
    public func fetch(_ bound: BoundQuery) async throws(StoreError) -> QueryResult {
        guard bound.plan.isList else { return try await queries.run(bound) }
        return try await lists.run { connection in try connection.fetch([bound])[0] }
    }

    /// Reads a page of a listing, on a connection for slow reads.
    public func rows(_ listing: ListingShape) async throws(StoreError) -> [StoredRow] {
        try await lists.run { connection in try connection.rows(listing) }
    }

    /// Runs a handwritten query, on a connection for slow reads.
    public func answers(_ view: NamedQueryShape, _ list: [StoredValue]) async throws(StoreError) -> [any Sendable] {
        try await lists.run { connection in try connection.answers(view, list) }
    }
}
