public import TenureCore
public import TenureLicensing
public import TenureMarketplace
public import TenurePackages
public import TenureServerKit
public import TenureStore

/// Reads what an operator wants to know of an installation at a glance.
public struct ReadStatus: Sendable {
    let store: any Store
    let clock: any WallClock

    /// Reads a store, by a clock.
    public init(store: any Store, clock: any WallClock) {
        self.store = store
        self.clock = clock
    }

    /// What is there now.
    public struct Status: Sendable {
        /// When it was read, by the server's clock.
        public let at: Timestamp
        /// What is offered.
        public let catalog: Catalog
        /// How much is stored.
        public let census: Census
        /// Where each marketplace's keys come from.
        public let keys: [TenantID: KeyOrigin]
        /// How many app licenses are about to expire, for every tenant that has any.
        public let risks: [RenewalRisk]
        /// Notifications that take packages down which nobody has told of, the latest first.
        public let unmatched: [ReadNotices.Line]
        /// Packages that are being fetched, or wait, are held or failed.
        public let imports: [ReadImports.Line]
    }

    /// Where a marketplace's keys come from.
    public enum KeyOrigin: String, Sendable, Hashable {
        /// It has none yet.
        case none
        /// Made by this server, to try things out: Apple's devices take nothing signed with them.
        case simulated
        /// Handed over by Apple, or made with its papers.
        case imported
    }

    /// Reads it, one part after the other. Changes nothing. Throws ``ServerError``.
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
