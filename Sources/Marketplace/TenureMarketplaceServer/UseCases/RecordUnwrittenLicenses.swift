import TenureCore
import TenureMarketplace
import TenureServerKit
import TenureStore

/// Records app licenses that were decided on, but couldn't be written for their device.
struct RecordUnwrittenLicenses: Sendable {
    let store: any Store
    let clock: any WallClock
    let refused: RefusedApps

    /// Takes back licenses that were issued; see ``TenureMarketplace/AppLicense/unwritten(_:at:)``.
    ///
    /// The events are limited like those of other refused apps; see ``RefusedApps``.
    ///
    /// - Throws: ``ServerError`` if the store fails.
    func issued(
        _ licenses: [(id: LicenseID, issuance: AppLicense.Issuance)], of tenant: TenantID
    ) async throws(ServerError) {
        guard !licenses.isEmpty else { return }
        let room = refused.room(for: licenses.count, of: tenant)
        var (unused, beyond) = (room, [String: Int64]())
        defer { refused.settle(unused: unused, beyond: beyond, of: tenant) }
        let issuances = Dictionary(licenses.map { ($0.id, $0.issuance) }, uniquingKeysWith: { first, _ in first })
        let replaced = issuances.values.flatMap(\.replaced).map(\.id)
        try await perform(on: Array(issuances.keys) + replaced) { stored, now in
            var saves: [RowWrite] = []
            var events = 0
            for license in stored {
                guard let issuance = issuances[license.id] else { continue }
                let earlier = stored.filter { other in issuance.replaced.contains { $0.id == other.id } }
                var consequences = license.unwritten(
                    issuance.isNew ? .new(replacing: earlier) : .repeated, at: now)
                events += 1
                if events > room { consequences.events = [] }
                saves.add(consequences, over: stored)
            }
            return saves
        }
        unused = 0
        if licenses.count > room { beyond[Reason.Kind.appKeyUnusable.text] = Int64(licenses.count - room) }
    }

    /// Records that renewals weren't written, so that they are due again.
    ///
    /// - Throws: ``ServerError`` if the store fails.
    func renewed(_ ids: [LicenseID]) async throws(ServerError) {
        guard !ids.isEmpty else { return }
        try await perform(on: ids) { stored, now in
            var saves: [RowWrite] = []
            for license in stored {
                saves.add(license.unwrittenRenewal(at: now), over: CollectionOfOne(license))
            }
            return saves
        }
    }

    private func perform(
        on ids: [LicenseID], _ decide: @escaping @Sendable ([AppLicense], Timestamp) -> [RowWrite]
    ) async throws(ServerError) {
        let (now, plan) = (clock.now(), AppLicense.named)
        try await asking {
            try await store.perform(
                Transaction(plan.bind(ids)) { results in
                    TransactionResult((), decide(results[plan.queries], now))
                })
        }
    }
}

extension AppLicense {
    /// Reads licenses by their ids, under the locks of their owners.
    static let named = QueryPlan(for: [LicenseID].self) { query in
        query.hold(AppLicense.turnOfOwner) { $0.map(StoredValue.of) }
        return query.each(AppLicense.table.key) { $0.map(StoredValue.of) }
    }
}
