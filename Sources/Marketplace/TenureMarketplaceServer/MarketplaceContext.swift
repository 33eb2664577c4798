public import TenureServerKit
import TenureStore

/// The dependencies that the use cases for accounts and app licenses share.
///
/// It is a class because a struct would be copied into the frames of every request.
public final class MarketplaceContext: Sendable {
    let catalog: CatalogCache
    let shared: FeatureContext

    /// Creates a context.
    public init(catalog: CatalogCache, clock: any WallClock) {
        self.catalog = catalog
        shared = FeatureContext(store: catalog.store, clock: clock)
    }

    var store: ServerStore { shared.store }
    var clock: any WallClock { shared.clock }
}
