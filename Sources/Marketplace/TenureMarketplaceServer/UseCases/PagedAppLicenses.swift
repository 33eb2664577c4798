package import TenureCore
package import TenureMarketplace
package import TenureStore

/// A page of app licenses with the cursor of the next page.
package struct PagedAppLicenses: Sendable {
    package let licenses: [AppLicense]
    /// The cursor for the next page; `nil` at the end.
    ///
    /// The cursor may be the id of a license that doesn't match the filter.
    package let next: LicenseID?

    /// The maximum number of licenses that one call reads if the filter needs fields without an index.
    package static let stretch = 5_000
}

extension RecordStore {
    /// Lists a tenant's app licenses after a cursor, at most `limit` (1...1000).
    ///
    /// The licenses are sorted by app, then by id; if the filter names an account, they're sorted by id. There is no
    /// index for the state, or for the app within an account. So one call reads at most ``PagedAppLicenses/stretch``
    /// licenses, and another page may follow a short or empty page. Returns `nil` if the cursor isn't a license of the
    /// tenant.
    package func pagedAppLicenses(
        _ filter: AppLicenseFilter, of tenant: TenantID, after cursor: LicenseID?, limit: Int
    ) async throws(Failure) -> PagedAppLicenses? {
        var start = cursor
        var startApp: AppleItemID?
        if let cursor {
            guard let license = try await appLicense(cursor), license.tenant == tenant else { return nil }
            startApp = license.item
        }
        let narrows =
            filter.state != nil || filter.device != nil || !filter.includesReplaced
            || (filter.account != nil && filter.item != nil)
        let limit = pageSize(limit)
        var room = PagedAppLicenses.stretch
        var found: [AppLicense] = []
        for (set, values) in try await sets(filter, of: tenant, from: startApp) {
            while true {
                let count = min(room, narrows ? 1_000 : limit - found.count)
                let page = try await list(
                    Listing(set, values, after: start.map { [.of($0)] } ?? [], limit: count))
                for license in page where filter.matches(license) {
                    found.append(license)
                    if found.count == limit { return PagedAppLicenses(licenses: found, next: license.id) }
                }
                room -= page.count
                start = page.last?.id
                if page.count < count { break }
                if room == 0 { return PagedAppLicenses(licenses: found, next: start) }
            }
            start = nil
        }
        return PagedAppLicenses(licenses: found, next: nil)
    }

    /// The indexed sets that contain the licenses, in the order of the list.
    private func sets(
        _ filter: AppLicenseFilter, of tenant: TenantID, from app: AppleItemID?
    ) async throws(Failure) -> [(RowSet<AppLicense>, [StoredValue])] {
        if let account = filter.account { return [(AppLicense.ofAccount, [.of(tenant), .of(account)])] }
        if let item = filter.item { return [(AppLicense.ofApp, [.of(tenant), .of(item)])] }
        let items = try await all(AppRow.ofTenant, [.of(tenant)]).map(\.app.item).sorted()
        return items.drop { item in app.map { item < $0 } ?? false }.map { (AppLicense.ofApp, [.of(tenant), .of($0)]) }
    }
}

extension AppLicenseFilter {
    /// Whether a license of the filter's tenant matches the filter's other conditions.
    fileprivate func matches(_ license: AppLicense) -> Bool {
        (account == nil || license.account == account) && (item == nil || license.item == item)
            && (device == nil || license.device == device) && (includesReplaced || !license.isReplaced)
            && (state == nil || license.state(at: now) == state)
    }
}
