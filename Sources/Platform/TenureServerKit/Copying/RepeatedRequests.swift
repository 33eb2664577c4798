import TenureCore
import TenureStore

/// Finds requests that were carried out in two states of a store, because a client repeated a request after a
/// failover.
enum RepeatedRequests {
    /// Returns the ids of the records that the later store created or changed for requests that both states carried
    /// out. Records to which the response in `store` refers are left out.
    ///
    /// Throws `StoreError` of either store.
    static func records(of later: any Store, repeatedIn store: any Store) async throws(StoreError) -> Set<Int64> {
        var records: Set<Int64> = []
        var cursor: [StoredValue]? = []
        while let after = cursor {
            let page = try await later.list(
                Listing(IdempotentResponse.table.all, after: after, limit: pageSize))
            let ours = Dictionary(
                try await store.fetch(plan.bind(page))[plan.queries].map { ($0.key, $0.recordNumbers) },
                uniquingKeysWith: { first, _ in first })
            for response in page {
                guard let numbers = ours[response.key] else { continue }
                records.formUnion(Set(response.recordNumbers).subtracting(numbers))
            }
            cursor = page.count == pageSize ? page.last.map { [.of($0.key)] } : nil
        }
        return records
    }

    private static let plan = QueryPlan(for: [IdempotentResponse].self) { query in
        query.each(IdempotentResponse.table.key) { $0.map { .of($0.key) } }
    }

    private static let pageSize = 500
}
