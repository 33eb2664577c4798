import TenureCore
import TenureMarketplace
import TenureServerKit
import TenureStore

extension RecordStore {
    /// Lists app licenses of some tenants, newest first.
    ///
    /// - Parameter cursor: The last license of the previous page.
    func newestAppLicenses(
        _ filter: AppLicenseFilter, of tenants: [TenantID], after cursor: LicenseID?, limit: Int
    ) async throws -> BoundedPage<AppLicense> {
        var last: EventRecord?
        if let cursor {
            last = try await creation(cursor.description, tenants.map { EventFilter(tenant: $0, license: cursor) })
        }
        let newest = NewestFirst<AppLicense>(
            createdBy: .appLicenseIssued, \.license, id: \.id, where: filter.matches
        ) { ids in try await fetch(plan.bind(ids))[plan.queries] }
        return try await newest.page(of: tenants, after: last, limit: limit, in: self)
    }
}

private let plan = QueryPlan(for: [LicenseID].self) { query in
    query.each(AppLicense.table.key) { $0.map(StoredValue.of) }
}

extension AppLicenseFilter {
    /// Whether the filter lists a license, whatever its tenant and device.
    fileprivate func matches(_ license: AppLicense) -> Bool {
        (account.map { $0 == license.account } ?? true) && (item.map { $0 == license.item } ?? true)
            && (state.map { $0 == license.state(at: now) } ?? true) && (includesReplaced || !license.isReplaced)
    }
}
