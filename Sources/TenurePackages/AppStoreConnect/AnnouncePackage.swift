public import TenureCore
import TenureFormats
import TenureMarketplace
public import TenureServerKit
public import TenureStore

/// Has a version of a package fetched from App Store Connect, by a running server.
public struct AnnouncePackage: Sendable {
    let store: any Store
    let clock: any WallClock

    /// Announces in a store.
    public init(store: any Store, clock: any WallClock) {
        self.store = store
        self.clock = clock
    }

    /// What became of it.
    public enum Outcome: String, Sendable, Hashable {
        /// It is fetched from now on.
        case announced
        /// It is being fetched, or was; nothing was changed.
        case unchanged
        /// The tenant has no marketplace.
        case marketplaceUnknown
        /// What was named is no name of App Store Connect's.
        case nameless
    }

    /// Announces a version; one that failed or was taken down is begun anew. Throws ``ServerError``.
    /// - Parameters:
    ///   - id: App Store Connect's name of the package's version.
    ///   - package: Its name of the package; nil where it is not known: a takedown then cannot find it.
    public func callAsFunction(
        _ id: String, package: String?, of tenant: TenantID
    ) async throws(ServerError) -> Outcome {
        guard let id = AssetID(id)?.text.lowercased() else { return .nameless }
        let now = clock.now()
        var random = SystemRandomNumberGenerator()
        let job = JobID.random(using: &random)
        let work = JobName.packageImport.job(ImportWork(id: id), id: job, of: tenant, at: now)
        let form = Self.form
        let change = Change(form.asked(.of(tenant), .of(tenant), .of(id))) { seen -> Saving<Outcome> in
            guard seen[form.looks.0] != nil else { return Saving(.marketplaceUnknown) }
            guard let known = seen[form.looks.1] else {
                let announced = PackageImport.announced(
                    id, package: package, item: nil, of: tenant, job: job, at: now)
                return Saving(.announced, [.insert(announced), .insert(work)])
            }
            guard let again = known.wanted(by: job, package: package, at: now) else {
                return Saving(.unchanged, known.named(package).map { [.replace(known, by: $0)] } ?? [])
            }
            return Saving(.announced, [.replace(known, by: again), .insert(work)])
        }
        return try await asking { () async throws(StoreError) in try await store.perform(change) }
    }

    private static let form = LoadForm { ask in
        (ask.row(MarketplaceRow.table.key), ask.row(PackageImport.table.key))
    }
}
