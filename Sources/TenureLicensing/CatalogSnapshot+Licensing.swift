public import TenureCore
import TenureFormats
public import TenureServerKit

extension CatalogSnapshot {
    /// The policy a license follows; one that is missing breaks a promise of the store.
    func policy(of license: License) throws(ServerError) -> Policy {
        guard let policy = knownPolicy(of: license) else {
            throw ServerError(
                .catalogInconsistent,
                "License \(license.id) follows the policy \(license.policy), which \(license.product) does not have. "
                    + "Put the policy back with `tenure apply`, or move the license with `tenure license change`.")
        }
        return policy
    }

    /// The policy a license follows, for what has to go on without.
    func knownPolicy(of license: License) -> Policy? { catalog[license.product]?.policies[license.policy] }

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
