public import TenureCore
package import TenureStore

/// The lease-signing keys of all tenants, decrypted.
package final class LeaseKeyRings: CatalogPart {
    fileprivate let ofTenants: [TenantID: LeaseKeyRing]

    private init(_ ofTenants: [TenantID: LeaseKeyRing]) { self.ofTenants = ofTenants }

    /// Reads and decrypts the keys of the tenants that changed; keeps the others.
    package static func open(
        _ store: any Store, under master: MasterKey, in scope: CatalogScope
    ) async throws(ServerError) -> (any CatalogPart)? {
        let known = scope.known?.keyRings ?? [:]
        return LeaseKeyRings(
            try await scope.values(over: known) { tenant, rings in
                let (records, prepared) = try await asking {
                    (try await store.signingKeys(of: tenant), try await store.preparedKeys(of: tenant))
                }
                for (tenant, records) in Dictionary(grouping: records, by: \.tenant) {
                    let next = prepared.first { $0.tenant == tenant }
                    rings[tenant] = try LeaseKeyRing(records, next, over: known[tenant], under: master)
                }
            })
    }
}

extension CatalogSnapshot {
    /// The lease-signing keys by tenant.
    public var keyRings: [TenantID: LeaseKeyRing] { part(LeaseKeyRings.self)?.ofTenants ?? [:] }

    /// The lease-signing keys of a tenant.
    ///
    /// Throws if it has none, because `apply` creates one for each tenant.
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
    /// The lease-signing keys.
    ///
    /// Several features sign with them, so they belong to none.
    package static let leaseKeys = CatalogMember(open: LeaseKeyRings.open, kept: .leaseKeys) { _, _ in { _, _ in } }
}
