import TenureServerKit
package import TenureStore

/// A store for tests that must not use one: no read returns in place, and a read or change that waits traps.
package struct NoStore: StoreDecorator {
    package init() {}

    package var inner: any Store { preconditionFailure("this test has no store") }

    package func perform<Answer: Sendable>(_ change: Transaction<Answer>) async throws(StoreError) -> Answer {
        try await inner.perform(change)
    }

    package func fetchInPlace(_ bound: BoundQuery) throws(StoreError) -> QueryResult? { nil }
}
