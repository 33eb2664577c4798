import TenureServerKit
import TenureStore

/// The dependencies that the use cases of selling share.
///
/// It is a class because a struct would be copied into the frames of every request.
final class SellingContext: Sendable {
    let catalog: CatalogCache
    let clock: any WallClock
    let randomness: Randomness
    /// Sends requests to providers; `nil` if outbound access is disabled.
    let outbound: (any Outbound)?

    init(catalog: CatalogCache, clock: any WallClock, randomness: Randomness, outbound: (any Outbound)?) {
        self.catalog = catalog
        self.clock = clock
        self.randomness = randomness
        self.outbound = outbound
    }

    var store: ServerStore { catalog.store }
}
