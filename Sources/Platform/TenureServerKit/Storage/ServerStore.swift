package import TenureStore

/// A store that converts each ``StoreError`` to a ``ServerError``.
///
/// Use cases and endpoints read and change rows through this type. Operations on the whole store, such as copying it,
/// use ``inner``.
package struct ServerStore: RecordStore {
    /// The store that calls are forwarded to.
    package let inner: any Store

    package init(_ inner: any Store) { self.inner = inner }

    package func perform<Answer: Sendable>(_ change: Transaction<Answer>) async throws(ServerError) -> Answer {
        do throws(StoreError) { return try await inner.perform(change) } catch { throw ServerError(error) }
    }

    package func fetch(_ bound: BoundQuery) async throws(ServerError) -> QueryResult {
        do throws(StoreError) { return try await inner.fetch(bound) } catch { throw ServerError(error) }
    }

    package func note(_ note: LossyUpdate) async throws(ServerError) {
        do throws(StoreError) { try await inner.note(note) } catch { throw ServerError(error) }
    }

    package func rows(_ listing: ListingShape) async throws(ServerError) -> [StoredRow] {
        do throws(StoreError) { return try await inner.rows(listing) } catch { throw ServerError(error) }
    }

    package func answers(_ view: NamedQueryShape, _ list: [StoredValue]) async throws(ServerError) -> [any Sendable] {
        do throws(StoreError) { return try await inner.answers(view, list) } catch { throw ServerError(error) }
    }

    /// The database host's clock in POSIX seconds; `nil` for a local store.
    package func time() async throws(ServerError) -> Int64? {
        do throws(StoreError) { return try await inner.time() } catch { throw ServerError(error) }
    }
}
