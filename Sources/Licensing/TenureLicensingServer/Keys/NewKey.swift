import TenureCore
import TenureLicensing
import TenureServerKit

/// A key that replaces a license's key.
struct NewKey: Sendable {
    let key: LicenseKey
    /// The key's full text, to be shown once.
    let text: String
    /// What the key was derived from; `nil` for a random key.
    let derivation: LicenseKey.Derivation?
}

extension CatalogCache {
    /// Makes a new key for a license: a random one or, if it's mailed, a derived one that can be sent again.
    ///
    /// Returns `nil` if the product isn't in the catalog. Throws ``ServerError``.
    func newKey(
        for license: License, isMailed: Bool, at now: Timestamp, _ randomness: Randomness = .system
    ) async throws(ServerError) -> NewKey? {
        let snapshot = try await refreshIfChanged()
        guard isMailed else {
            return snapshot.mintKey(for: license.product, randomness)
                .map { NewKey(key: $0.key, text: $0.text, derivation: nil) }
        }
        guard let prefix = snapshot.catalog[license.product]?.keyPrefix else { return nil }
        let roots = try await store.keyRoots(of: license.product.tenant, under: master)
        let (text, derivation) = try roots.newKey(
            of: license.id, generation: LicenseKey.Derivation.nextGeneration(for: license, at: now), prefix: prefix)
        return NewKey(key: text.stored(under: prefix), text: text.text, derivation: derivation)
    }
}
