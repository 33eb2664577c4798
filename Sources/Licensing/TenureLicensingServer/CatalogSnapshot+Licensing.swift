public import TenureCore
public import TenureLicensing
public import TenureServerKit

extension CatalogSnapshot {
    /// Returns the policy of a license.
    ///
    /// - Throws: ``ServerError`` with `catalogInconsistent` if the product doesn't have that policy.
    func policy(of license: License) throws(ServerError) -> Policy {
        guard let policy = knownPolicy(of: license) else {
            throw ServerError(
                .catalogInconsistent,
                "License \(license.id) uses the policy \(license.policy), which \(license.product) doesn't have. "
                    + "Restore the policy with `tenure apply`, or move the license to another one with `tenure "
                    + "license change`."
            )
        }
        return policy
    }

    /// Returns the policy of a license; `nil` if the catalog lacks it, for callers that can do without it.
    func knownPolicy(of license: License) -> Policy? { catalog[license.product]?.policies[license.policy] }

    /// Mints a random license key under a product's prefix; returns `nil` if the product doesn't exist.
    ///
    /// The text is the only copy of the key, so show it once.
    public func mintKey(
        for product: ProductRef, _ randomness: Randomness = .system
    ) -> (key: LicenseKey, text: String)? {
        guard let prefix = catalog[product]?.keyPrefix else { return nil }
        var random = randomness.generator()
        let text = LicenseKeyText.mint(prefix: prefix, using: &random)
        return (text.stored(under: prefix), text.text)
    }
}
