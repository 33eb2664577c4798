import TenureCore
import TenureMarketplaceServer
import TenureServerKit
import TenureStore

extension PackageImport {
    /// The result of an announcement.
    enum Announcement: String, Sendable, Hashable {
        /// The version is queued, and a running server starts to fetch it.
        case announced
        /// The version is being fetched or was fetched before; nothing was changed.
        case unchanged
        /// The tenant has no marketplace.
        case marketplaceUnknown
        /// The given id can't be an id of App Store Connect.
        case nameless
    }
}

extension FeatureContext {
    /// Queues a version of a package, so that a running server fetches it from App Store Connect.
    ///
    /// A version that failed or was taken down is fetched again from the start.
    ///
    /// - Parameters:
    ///   - id: App Store Connect's id of the package version.
    ///   - package: App Store Connect's id of the package; `nil` if unknown. Without it, a takedown can't find the
    ///     package.
    /// - Throws: ``ServerError`` if the store fails.
    func announcePackage(
        _ id: String, package: String?, of tenant: TenantID
    ) async throws(ServerError) -> PackageImport.Announcement {
        guard let id = AssetID(id)?.text.lowercased() else { return .nameless }
        let now = clock.now()
        var random = SystemRandomNumberGenerator()
        let job = Job.ID.random(using: &random)
        let work = JobName.packageImport.job(ImportWork(id: id), id: job, of: tenant, at: now)
        let plan = announcementPlan
        let change = Transaction(plan.bind(.init(tenant: tenant, id: id))) {
            results -> TransactionResult<PackageImport.Announcement> in
            guard results[plan.queries.0] != nil else { return TransactionResult(.marketplaceUnknown) }
            guard let row = results[plan.queries.1] else {
                let announced = PackageImport.announced(
                    id, package: package, item: nil, of: tenant, job: job, at: now)
                return TransactionResult(.announced, [.insert(announced), .insert(work)])
            }
            guard let again = row.requested(by: job, package: package, at: now) else {
                return TransactionResult(.unchanged, row.named(package).map { [.replace(row, by: $0)] } ?? [])
            }
            return TransactionResult(.announced, [.replace(row, by: again), .insert(work)])
        }
        return try await store.perform(change)
    }
}

private let announcementPlan = QueryPlan(for: ImportRef.self) { query in
    (
        query.row(MarketplaceRow.table.key) { [.of($0.tenant)] },
        query.row(PackageImport.table.key) { [.of($0.tenant), .of($0.id)] }
    )
}
