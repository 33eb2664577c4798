import TenureCore
import TenureMarketplace
import TenureServerKit
import TenureStore

extension MarketplaceContext {
    /// Takes back licenses that were issued, but couldn't be written for their device; see
    /// ``TenureMarketplace/AppLicense/unwritten(_:key:at:)``.
    ///
    /// The events are limited like those of other refused apps.
    ///
    /// - Throws: ``ServerError`` if the store fails.
    func takeBackIssued(
        _ licenses: [(license: AppLicenseWriter.Unwritten, issuance: AppLicense.Issuance)], of tenant: TenantID,
        limit refused: RefusedApps
    ) async throws(ServerError) {
        let byID = Dictionary(licenses.map { ($0.license.id, $0) }, uniquingKeysWith: { first, _ in first })
        let replaced = licenses.flatMap(\.issuance.replaced).map(\.id)
        try await takeBack(Array(byID.keys), reading: replaced, of: tenant, refused) { license, stored, now in
            guard let (unwritten, issuance) = byID[license.id] else { return .none }
            let earlier = stored.filter { other in issuance.replaced.contains { $0.id == other.id } }
            return license.unwritten(
                issuance.isNew ? .new(replacing: earlier) : .repeated, key: unwritten.key, at: now)
        }
    }

    /// Takes back renewals that couldn't be written for their device; see
    /// ``TenureMarketplace/AppLicense/unwrittenRenewal(for:before:key:at:)``.
    ///
    /// The events are limited like those of other refused apps.
    ///
    /// - Throws: ``ServerError`` if the store fails.
    func takeBackRenewed(
        _ licenses: [(license: AppLicenseWriter.Unwritten, before: AppLicense?)],
        for requester: AppLicense.Requester, limit refused: RefusedApps
    ) async throws(ServerError) {
        let byID = Dictionary(licenses.map { ($0.license.id, $0) }, uniquingKeysWith: { first, _ in first })
        try await takeBack(Array(byID.keys), of: requester.tenant, refused) { license, _, now in
            guard let (unwritten, before) = byID[license.id] else { return .none }
            return license.unwrittenRenewal(for: requester.request, before: before, key: unwritten.key, at: now)
        }
    }

    /// Decides on the licenses with these ids in one transaction; the closure also receives the licenses in `others`.
    private func takeBack(
        _ ids: [LicenseID], reading others: [LicenseID] = [], of tenant: TenantID, _ refused: RefusedApps,
        _ decide: @escaping @Sendable (AppLicense, _ stored: [AppLicense], Timestamp) -> AppLicense.Consequences
    ) async throws(ServerError) {
        guard !ids.isEmpty else { return }
        let room = refused.room(for: ids.count, of: tenant)
        var (unused, beyond) = (room, [String: Int64]())
        defer { refused.refund(unused: unused, beyond: beyond, of: tenant) }
        let (now, plan, decided) = (clock.now(), AppLicense.byIDs, Set(ids))
        try await store.perform(
            Transaction(plan.bind(ids + others)) { results in
                let stored = results[plan.queries]
                var saves: [RowWrite] = []
                for (index, license) in stored.filter({ decided.contains($0.id) }).enumerated() {
                    var consequences = decide(license, stored, now)
                    if index >= room { consequences.events = [] }
                    saves.add(consequences, over: stored)
                }
                return TransactionResult((), saves)
            })
        unused = 0
        if ids.count > room { beyond[Reason.Kind.appKeyUnusable.text] = Int64(ids.count - room) }
    }
}

extension AppLicense {
    /// Reads licenses by their ids, under the locks of their owners.
    static let byIDs = QueryPlan(for: [LicenseID].self) { query in
        query.hold(AppLicense.turnOfOwner) { $0.map(StoredValue.of) }
        return query.each(AppLicense.table.key) { $0.map(StoredValue.of) }
    }
}
