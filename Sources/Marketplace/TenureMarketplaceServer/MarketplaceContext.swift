public import TenureServerKit
import TenureStore

/// The dependencies that the use cases for accounts and app licenses share.
///
/// It is a class because a struct would be copied into the frames of every request.
public final class MarketplaceContext: Sendable {
    let catalog: CatalogCache
    let clock: any WallClock

    /// Creates a context.
    public init(catalog: CatalogCache, clock: any WallClock) {
        self.catalog = catalog
        self.clock = clock
    }

    var store: any Store { catalog.store }
}
