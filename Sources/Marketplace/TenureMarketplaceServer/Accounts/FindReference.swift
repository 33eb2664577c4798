package import TenureCore
package import TenureServerKit
import TenureStore

extension FeatureContext {
    /// Finds a person's actions on the resolution page by the reference that the person quotes to support: returns the
    /// events with the reference, oldest first.
    ///
    /// Reads all events of the tenant, or only those of `account`.
    package func events(
        with reference: SupportReference, at tenant: TenantID, of account: AccountID? = nil
    ) async throws(ServerError) -> [EventRecord] {
        let (filter, evidence) = (EventFilter(tenant: tenant, account: account), reference.evidence)
        var found: [EventRecord] = []
        var cursor: Int64 = 0
        while true {
            let after = cursor
            let page = try await store.events(filter, after: after, limit: pageSize)
            found += page.filter { $0.event.facts.contains(evidence) }
            guard page.count == pageSize, let last = page.last else { return found }
            cursor = last.sequence
        }
    }
}

private let pageSize = 1000
