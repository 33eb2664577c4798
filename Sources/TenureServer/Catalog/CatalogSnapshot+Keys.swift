public import TenureCore
import TenureFormats

extension CatalogSnapshot {
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
