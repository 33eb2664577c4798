package import TenureCore
package import TenureServerKit
import TenureStore

/// Finds a person's actions on the resolution page by the reference that the person quotes to support.
package struct FindReference: Sendable {
    let store: any Store

    /// Returns the events with the reference, oldest first.
    ///
    /// Reads all events of the tenant, or only those of `account`.
    ///
    /// - Throws: ``ServerError`` if the store fails.
    package func callAsFunction(
        _ reference: SupportReference, at tenant: TenantID, of account: AccountID? = nil
    ) async throws(ServerError) -> [EventRecord] {
        let (filter, wanted) = (EventFilter(tenant: tenant, account: account), reference.evidence)
        var found: [EventRecord] = []
        var cursor: Int64 = 0
        while true {
            let after = cursor
            let page = try await asking { try await store.events(filter, after: after, limit: Self.pageSize) }
            found += page.filter { $0.event.facts.contains(wanted) }
            guard page.count == Self.pageSize, let last = page.last else { return found }
            cursor = last.sequence
        }
    }

    private static let pageSize = 1000
}
