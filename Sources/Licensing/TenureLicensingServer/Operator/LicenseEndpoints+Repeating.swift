import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore

extension LicenseEndpoints {
    /// Answers a repeated request with its licenses as they are now, without their keys.
    func repeated(_ position: RepeatedRecords.Position) -> RepeatedRecords {
        RepeatedRecords(
            position, of: License.document, in: licensing.catalog, at: licensing.clock, shownBy: "licenses:read",
            id: { LicenseID(number: $0)?.description ?? "" }, number: { $0.value.id.number }
        ) { [licensing] numbers, tenant in
            let plan = Self.licenses
            let ids = numbers.compactMap { LicenseID(number: $0) }
            let found = try await licensing.store.fetch(plan.bind(ids))[plan.queries]
            let now = licensing.clock.now()
            return found.filter { $0.product.tenant == tenant }.map { AsOf($0, at: now) }
        }
    }

    private static let licenses = QueryPlan(for: [LicenseID].self) { query in
        query.each(License.table.key) { $0.map(StoredValue.of) }
    }
}
