package import TenureCore
import TenureMarketplace

/// Where a marketplace's keys come from.
package enum KeyOrigin: String, Sendable, Hashable {
    /// The marketplace has no keys yet.
    case none
    /// This server generated the keys for testing.
    ///
    /// Apple's devices reject licenses and tokens that these keys sign.
    case simulated
    /// The operator imported the keys with Apple's certificates.
    case imported
}

extension Catalog {
    /// The origin of each marketplace's keys, determined from the records of all keys.
    package func keyOrigins(_ keys: [MarketplaceKeyRecord]) -> [TenantID: KeyOrigin] {
        var origins: [TenantID: KeyOrigin] = [:]
        for tenant in tenants.values where tenant.marketplace != nil {
            let own = keys.filter { $0.tenant == tenant.id }
            origins[tenant.id] =
                own.contains { $0.origin == .imported } ? .imported : own.isEmpty ? KeyOrigin.none : .simulated
        }
        return origins
    }
}
