public import TenureCore
import TenureServerKit

/// The catalog and the opened keys of one version, never changed after it was made.
///
/// One reference, so that a request takes it without copying and sees one version to its end.
public final class CatalogSnapshot: Sendable {
    /// What this server offers.
    public let catalog: Catalog

    /// The tenants' lease keys.
    public let keyRings: [TenantID: LeaseKeyRing]

    /// The marketplaces' keys.
    let marketplaceKeys: [TenantID: MarketplaceKeys]

    init(
        catalog: Catalog, keyRings: [TenantID: LeaseKeyRing], marketplaceKeys: [TenantID: MarketplaceKeys] = [:]
    ) {
        self.catalog = catalog
        self.keyRings = keyRings
        self.marketplaceKeys = marketplaceKeys
    }

    /// The version that the store gave it.
    public var version: Int64 { catalog.version }

    /// The policy a license follows; one that is missing breaks a promise of the store.
    func policy(of license: License) throws(ServerError) -> Policy {
        guard let policy = catalog[license.product]?.policies[license.policy] else {
            throw ServerError(
                .catalogInconsistent,
                "License \(license.id) follows the policy \(license.policy), which \(license.product) does not have. "
                    + "Put the policy back with `tenure apply`, or move the license with `tenure license change`.")
        }
        return policy
    }

    /// The lease keys of a tenant; a tenant without keys breaks a promise of `apply`.
    func keyRing(of tenant: TenantID) throws(ServerError) -> LeaseKeyRing {
        guard let ring = keyRings[tenant] else {
            throw ServerError(
                .catalogInconsistent,
                "Tenant \(tenant) has no signing key. Make one with `tenure key rotate --tenant \(tenant)`.")
        }
        return ring
    }
}
