import Synchronization
import TenureCore
import TenureLicensing
import TenureServerKit

/// Caches each product's signed configuration.
///
/// It signs a configuration again every hour, and when the catalog's version changes.
final class SignedConfigurations: Sendable {
    private struct Signed {
        let version: Int64
        let hour: Int64
        let configuration: KeylightProductConfiguration
    }

    private let signed = Mutex<[ProductRef: Signed]>([:])

    /// Returns the signed configuration of a product, valid for 30 days from its signing.
    func configuration(
        of product: Product, under snapshot: CatalogSnapshot, at now: Timestamp
    ) throws(ServerError) -> KeylightProductConfiguration {
        let hour = now.seconds / 3600
        let cached = signed.withLock { $0[product.ref] }
        if let cached, cached.version == snapshot.version, cached.hour == hour { return cached.configuration }
        let key = try snapshot.keyRing(of: product.ref.tenant).primary
        let offered = snapshot.catalog[product.ref] ?? product
        let fresh = try key.signConfiguration(
            of: offered, from: now, until: now.adding(days: Product.configurationDays))
        signed.withLock { $0[product.ref] = Signed(version: snapshot.version, hour: hour, configuration: fresh) }
        return fresh
    }
}
