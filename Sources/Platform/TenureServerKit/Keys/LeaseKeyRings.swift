public import TenureCore
import TenureStore

/// The decrypted lease-signing keys of all tenants.
package final class LeaseKeyRings: CatalogPart {
    fileprivate let ofTenants: [TenantID: LeaseKeyRing]

    private init(_ ofTenants: [TenantID: LeaseKeyRing]) { self.ofTenants = ofTenants }

    /// Reads and decrypts the keys of the tenants that changed. Copies the other tenants' keys.
    package static func open(
        _ store: ServerStore, under master: MasterKey, in scope: CatalogScope
    ) async throws(ServerError) -> (any CatalogPart)? {
        let existing = scope.existing?.keyRings ?? [:]
        return LeaseKeyRings(
            try await scope.values(over: existing) { tenant, rings in
                let records = try await store.signingKeys(of: tenant)
                let prepared = try await store.preparedKeys(of: tenant)
                for (tenant, records) in Dictionary(grouping: records, by: \.tenant) {
                    let next = prepared.first { $0.tenant == tenant }
                    rings[tenant] = try LeaseKeyRing(records, next, over: existing[tenant], under: master)
                }
            })
    }
}

extension CatalogSnapshot {
    /// The lease-signing keys by tenant.
    public var keyRings: [TenantID: LeaseKeyRing] { part(LeaseKeyRings.self)?.ofTenants ?? [:] }

    /// Returns the lease-signing keys of a tenant.
    ///
    /// Throws `catalog_inconsistent` if the tenant has no key, although `tenure apply` creates a key for each tenant.
    package func keyRing(of tenant: TenantID) throws(ServerError) -> LeaseKeyRing {
        guard let ring = part(LeaseKeyRings.self)?.ofTenants[tenant] else {
            throw ServerError(
                .catalogInconsistent,
                "Tenant \(tenant) has no signing key. Create one with `tenure key rotate --tenant \(tenant)`.")
        }
        return ring
    }
}

extension CatalogMember {
    /// The catalog's part with the lease-signing keys. It belongs to no single feature, because several features sign
    /// with the keys.
    package static let leaseKeys = CatalogMember(open: LeaseKeyRings.open, stored: .leaseKeys) { _, _ in { _, _ in } }
}
