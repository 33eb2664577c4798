public import TenureCore
import TenureFormats
public import TenureServerKit
import TenureStore

/// The lease keys of all tenants, opened.
final class LeaseKeyRings: CatalogPart {
    let ofTenants: [TenantID: LeaseKeyRing]

    private init(_ ofTenants: [TenantID: LeaseKeyRing]) { self.ofTenants = ofTenants }

    /// Reads and opens those of the tenants that have changed; the others stay open.
    static func open(
        _ store: any Store, under master: MasterKey, in scope: CatalogScope
    ) async throws(ServerError) -> (any CatalogPart)? {
        let known = scope.known?.keyRings ?? [:]
        return LeaseKeyRings(
            try await scope.values(over: known) { tenant, rings throws(ServerError) in
                let (records, prepared) = try await asking { () async throws(StoreError) in
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
    /// The tenants' lease keys.
    public var keyRings: [TenantID: LeaseKeyRing] { part(LeaseKeyRings.self)?.ofTenants ?? [:] }

    /// The lease keys of a tenant; a tenant without keys breaks a promise of `apply`.
    func keyRing(of tenant: TenantID) throws(ServerError) -> LeaseKeyRing {
        guard let ring = part(LeaseKeyRings.self)?.ofTenants[tenant] else {
            throw ServerError(
                .catalogInconsistent,
                "Tenant \(tenant) has no signing key. Make one with `tenure key rotate --tenant \(tenant)`.")
        }
        return ring
    }

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

    /// Mints a license key under a product's prefix; nil when the product is gone.
    ///
    /// The text is the only copy: show it once.
    public func mintKey(
        for product: ProductRef, _ randomness: Randomness = .system
    ) -> (key: LicenseKey, text: String)? {
        guard let prefix = catalog[product]?.keyPrefix else { return nil }
        var random = randomness.generator()
        let text = LicenseKeyText.mint(prefix: prefix, using: &random)
        return (text.kept(under: prefix), text.text)
    }
}
