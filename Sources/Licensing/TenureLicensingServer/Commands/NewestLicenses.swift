import TenureCommandLine
import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore

extension RecordStore {
    /// Lists licenses of some tenants, newest first.
    ///
    /// - Parameter cursor: The last license of the previous page.
    func newestLicenses(
        _ filter: LicenseFilter, of tenants: [TenantID], after cursor: LicenseID?, limit: Int
    ) async throws -> BoundedPage<License> {
        if filter.holder != nil || filter.holderEmail != nil || filter.order != nil,
            let page = try await licensesByHolderOrOrder(filter, of: tenants, after: cursor, limit: limit)
        {
            return page
        }
        var last: EventRecord?
        if let cursor {
            last = try await creation(cursor.description, tenants.map { EventFilter(tenant: $0, license: cursor) })
        }
        let newest = NewestFirst<License>(createdBy: .licenseIssued, \.license, id: \.id, where: filter.matches) {
            ids in
            try await fetch(LicenseQueryPlans.byIDs.bind(ids))[LicenseQueryPlans.byIDs.queries]
        }
        return try await newest.page(of: tenants, after: last, limit: limit, in: self)
    }
}

extension RecordStore {
    /// Lists licenses of one holder, address or order through their index, newest first.
    ///
    /// Returns `nil` if a tenant has more of them than are sorted here.
    private func licensesByHolderOrOrder(
        _ filter: LicenseFilter, of tenants: [TenantID], after cursor: LicenseID?, limit: Int
    ) async throws -> BoundedPage<License>? {
        var found: [License] = []
        for tenant in tenants {
            var own = filter
            own.tenant = tenant
            let (set, values) = own.smallestSet
            let licenses = try await list(Listing(set, values, limit: mostSorted))
            if licenses.count == mostSorted { return nil }
            found += licenses.filter(filter.matches)
        }
        found.sort { one, other in (other.issuedAt, other.id) < (one.issuedAt, one.id) }
        if let cursor {
            // Continue after this license even if the filter no longer matches it.
            guard let last = try await license(cursor) else {
                throw UsageError("--after \(cursor): there is no such record; list from the start")
            }
            found.removeAll { (last.issuedAt, last.id) <= ($0.issuedAt, $0.id) }
        }
        return BoundedPage(Array(found.prefix(limit)), next: found.count > limit ? found.prefix(limit).last : nil)
    }
}

/// How many licenses of a holder, an address or an order are sorted at most.
private let mostSorted = 1_000
