public import TenureCore
import TenureStore

/// Gives back a seat, for the device or for the operator.
public struct DeactivateLicense: Sendable {
    let catalog: CatalogCache
    let clock: any WallClock

    /// Decides under a catalog, by a clock.
    public init(catalog: CatalogCache, clock: any WallClock) {
        self.catalog = catalog
        self.clock = clock
    }

    /// Releases the activation if it belongs to the product (or to any, when nil); durable before this returns.
    ///
    /// Repeating it changes nothing. Answers nil when there is no such activation there, so that nobody learns of
    /// another product's; otherwise whether it was this call that released it.
    /// Throws ``ServerError``: after a transient one the same call may be made again.
    public func callAsFunction(
        _ activation: ActivationID, of product: ProductRef?, by actor: Actor
    ) async throws(ServerError) -> Bool? {
        let now = clock.now()
        return try await catalog.perform(loading: LoadKeys(license: .activation(activation))) { loaded, _ in
            guard let license = loaded.license, let seat = loaded.activation else { return Saving(nil) }
            if let product, license.product != product { return Saving(nil) }
            let consequences = license.deactivate(seat, by: actor, at: now)
            return Saving(!consequences.isEmpty, [Write](consequences))
        }
    }
}
