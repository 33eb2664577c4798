package import TenureCore
import TenureCrypto
package import TenureLicensing
package import TenureServerKit

/// The id and the first key of a license that an order issues, derived from the tenant's root.
///
/// The same order gives the same license again, also after a restore. So no license is issued twice, and a repeated
/// letter contains the same key.
package struct DerivedLicense: Sendable, Hashable {
    package let id: LicenseID
    package let key: LicenseKey
    package let derivation: LicenseKey.Derivation
}

/// Derives the ids and first keys of the licenses that a tenant's orders issue.
package struct OrderKeys: Sendable {
    private let roots: KeyRoots

    /// Reads the tenant's roots and decrypts those that the master key encrypted.
    package init(of tenant: TenantID, under master: MasterKey, in store: ServerStore) async throws(ServerError) {
        roots = try await store.keyRoots(of: tenant, under: master)
    }

    /// Derives a license's id and key; `nil` if the tenant has no root that the master key decrypts. Throws
    /// ``ServerError``.
    ///
    /// - Parameters:
    ///   - label: Identifies the license by its order.
    ///   - prefix: The prefix of the product's keys.
    package func license(
        of label: [UInt8], prefix: LicenseKeyPrefix
    ) throws(ServerError) -> DerivedLicense? {
        guard let id = try roots.orderLicense(of: label) else { return nil }
        let generation = LicenseKey.Derivation.first
        let key = try roots.orderKey(of: id, generation: generation, prefix: prefix)
        return key.map {
            DerivedLicense(id: id, key: $0.text.stored(under: prefix), derivation: $0.derivation)
        }
    }
}
