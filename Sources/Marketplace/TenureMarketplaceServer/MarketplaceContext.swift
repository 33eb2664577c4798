public import TenureServerKit
import TenureStore

/// What the use cases of accounts and app licenses work with.
public struct MarketplaceContext: Sendable {
    let catalog: CatalogCache
    let clock: any WallClock

    /// Creates a context.
    public init(catalog: CatalogCache, clock: any WallClock) {
        self.catalog = catalog
        self.clock = clock
    }

    var store: any Store { catalog.store }
}
