public import TenureCore
public import TenureLicensingServer
import TenureMarketplace
public import TenureMarketplaceServer
public import TenurePackages
public import TenureServerKit
public import TenureStore

/// Reads an overview of an installation for its operator.
public struct ReadStatus: Sendable {
    let store: any Store
    let clock: any WallClock

    /// Creates the operation for a store.
    public init(store: any Store, clock: any WallClock) {
        self.store = store
        self.clock = clock
    }

    /// The state of an installation.
    public struct Status: Sendable {
        /// When it was read, by the server's clock.
        public let at: Timestamp
        /// The catalog.
        public let catalog: Catalog
        /// The number of stored records.
        public let census: Census
        /// The origin of each marketplace's keys.
        public let keys: [TenantID: KeyOrigin]
        /// How many app licenses are about to expire, for every tenant that has any.
        public let risks: [RenewalRisk]
        /// Takedown notifications for packages that the server doesn't know, latest first.
        public let unmatched: [ReadNotices.Line]
        /// Package imports that are running, waiting, held or failed.
        public let imports: [ReadImports.Line]
    }

    /// Where a marketplace's keys come from.
    public enum KeyOrigin: String, Sendable, Hashable {
        /// The marketplace has no keys yet.
        case none
        /// This server created the keys for testing.
        ///
        /// Apple's devices reject what they sign.
        case simulated
        /// Apple issued the keys, or they were created with Apple's documents.
        case imported
    }

    /// Reads the overview, one part after the other.
    ///
    /// Changes nothing. Throws ``ServerError``.
    public func callAsFunction() async throws(ServerError) -> Status {
        let now = clock.now()
        let store = store
        let catalog = try await asking { () async throws(StoreError) in try await store.catalog() }
        let census = try await asking { () async throws(StoreError) in try await store.census() }
        let keys = try await asking { () async throws(StoreError) in try await store.marketplaceKeys() }
        let risks = try await asking { () async throws(StoreError) in try await store.renewalRisk(at: now) }
        let unmatched = try await ReadNotices(store: store, clock: clock).unmatched()
        let imports = try await ReadImports(store: store).unfinished()
        var origins: [TenantID: KeyOrigin] = [:]
        for tenant in catalog.tenants.values where tenant.marketplace != nil {
            let own = keys.filter { $0.tenant == tenant.id }
            origins[tenant.id] =
                own.contains { $0.origin == .imported } ? .imported : own.isEmpty ? KeyOrigin.none : .simulated
        }
        return Status(
            at: now, catalog: catalog, census: census, keys: origins, risks: risks.sorted { $0.tenant < $1.tenant },
            unmatched: unmatched, imports: imports)
    }
}
