import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore

extension Store {
    /// Lists licenses of some tenants, newest first.
    ///
    /// - Parameter cursor: The last license of the previous page.
    func newestLicenses(
        _ filter: LicenseFilter, of tenants: [TenantID], after cursor: LicenseID?, limit: Int
    ) async throws -> BoundedPage<License> {
        var last: EventRecord?
        if let cursor {
            last = try await creation(cursor.description, tenants.map { EventFilter(tenant: $0, license: cursor) })
        }
        let newest = NewestFirst<License>(createdBy: .licenseIssued, \.license, id: \.id, where: filter.matches) {
            ids in
            try await fetch(plan.bind(ids))[plan.queries]
        }
        return try await newest.page(of: tenants, after: last, limit: limit, in: self)
    }
}

private let plan = QueryPlan(for: [LicenseID].self) { query in
    query.each(License.table.key) { $0.map(StoredValue.of) }
}
