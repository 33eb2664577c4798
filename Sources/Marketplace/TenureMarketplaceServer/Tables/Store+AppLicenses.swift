package import TenureCore
package import TenureMarketplace
package import TenureServerKit
package import TenureStore

extension RecordStore {
    /// Reads assets by their identities, without duplicates and sorted by identity; reads at most 1,000.
    package func appAssets(_ refs: [AssetRef], of tenant: TenantID) async throws(Failure) -> [AppAsset] {
        let plan = AppQueryPlans.assets
        let assets = Set(refs.prefix(1_000)).sorted()
        return try await fetch(plan.bind(.init(tenant: tenant, assets: assets)))[plan.queries].sorted { one, other in
            one.ref < other.ref
        }
    }

    /// The ids of the licenses that couldn't be written with their asset's key, if the asset still has that key.
    func licensesWithUnusableKey(
        among licenses: [AppLicense], of tenant: TenantID
    ) async throws(Failure) -> Set<LicenseID> {
        let failed = licenses.filter { $0.failedKey != nil }
        guard !failed.isEmpty else { return [] }
        let assets = try await appAssets(failed.map(\.asset), of: tenant)
        let keys = Dictionary(
            assets.compactMap { asset in asset.keyBlob.map { (asset.ref, Digest.sha256(of: $0)) } },
            uniquingKeysWith: { first, _ in first })
        return Set(failed.filter { keys[$0.asset] == $0.failedKey }.map(\.id))
    }

    /// Reads an app license; `nil` if it doesn't exist.
    package func appLicense(_ id: LicenseID) async throws(Failure) -> AppLicense? {
        let plan = AppQueryPlans.license
        return try await fetch(plan.bind(id))[plan.queries]
    }

    /// Counts the app licenses that expire within a day and within a week, for every tenant with an app license.
    package func renewalRisk(at now: Timestamp) async throws(Failure) -> [RenewalRisk] {
        try await view(RenewalRisk.all, [now, now.adding(days: 1), now.adding(days: 7)].map(\.storedValue))
    }
}

extension Reading {
    /// Lists app licenses after the cursor, sorted by id, at most `limit` (1...1000).
    package func appLicenses(
        _ filter: AppLicenseFilter, after cursor: LicenseID?, limit: Int
    ) async throws(Failure) -> [AppLicense] {
        let limit = pageSize(limit)
        guard let tenant = filter.tenant, filter.item == nil, filter.account == nil, filter.device == nil else {
            return try await list(filter.section(after: cursor, limit: limit))
        }
        // The index sorts a tenant's licenses by app. So read a page of each app and merge the pages.
        var found: [AppLicense] = []
        for app in try await all(AppRow.ofTenant, [.of(tenant)]) {
            var narrowed = filter
            narrowed.item = app.app.item
            found += try await list(narrowed.section(after: cursor, limit: limit))
        }
        return Array(found.sorted { one, other in one.id < other.id }.prefix(limit))
    }
}

extension ServerStore {
    /// Passes on the licenses of a set page by page, at most 1,000 each, so that they needn't fit in memory.
    ///
    /// - Throws: ``ServerError`` if the store or `body` fails.
    package func eachPage(
        of set: RowSet<AppLicense>, _ values: [StoredValue], where filter: [[Comparison]] = [],
        _ body: ([AppLicense]) async throws(ServerError) -> Void
    ) async throws(ServerError) {
        var cursor: LicenseID?
        repeat {
            let after: [StoredValue] = cursor.map { [.of($0)] } ?? []
            let page = try await list(Listing(set, values, where: filter, after: after, limit: 1_000))
            try await body(page)
            cursor = page.count == 1_000 ? page.last?.id : nil
        } while cursor != nil
    }
}

extension AppLicenseFilter {
    /// A page of the smallest indexed set that contains all matches.
    fileprivate func section(after cursor: LicenseID?, limit: Int) -> Listing<AppLicense> {
        let set: RowSet<AppLicense>
        var values: [StoredValue] = []
        if let device {
            (set, values) = (AppLicense.ofDevice, [.of(device)])
        } else if let tenant, let account {
            (set, values) = (AppLicense.ofAccount, [.of(tenant), .of(account)])
        } else if let tenant, let item {
            (set, values) = (AppLicense.ofApp, [.of(tenant), .of(item)])
        } else {
            set = AppLicense.table.all
        }
        let named = [("tenant", tenant?.storedValue), ("account", account?.storedValue), ("item", item?.storedValue)]
        return Listing(
            set, values, where: set.filter(named, state.map { $0.comparisonsOfApp(at: now) }),
            after: cursor.map { [.of($0)] } ?? [], limit: limit)
    }
}

extension LifecycleState {
    /// The state as SQL conditions that match `AppLicense.state(at:)`.
    fileprivate func comparisonsOfApp(at now: Timestamp) -> [[Comparison]] {
        let active = Comparison.equals("state", LifecycleState.active)
        let end = "term_end"
        return switch self {
        case .issued, .suspended, .revoked, .returned: [[.equals("state", self)]]
        case .active: [[active, Comparison(end, .isNull)], [active, Comparison(end, .above(.of(now)))]]
        case .expired: [[active, Comparison(end, .atMost(.of(now)))]]
        }
    }
}

private enum AppQueryPlans {
    static let license = QueryPlan(for: LicenseID.self) { query in query.row(AppLicense.table.key) { [.of($0)] } }
    struct Assets: Sendable {
        let tenant: TenantID
        let assets: [AssetRef]
    }

    static let assets = QueryPlan(for: Assets.self) { query in
        query.each(AppAsset.table.key) { bound in
            bound.assets.flatMap { [.of(bound.tenant), .of($0.item), .of($0.version), .of($0.asset)] }
        }
    }
}
