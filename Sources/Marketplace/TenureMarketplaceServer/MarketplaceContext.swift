package import TenureServerKit
import TenureStore

/// The dependencies that the use cases for accounts and app licenses share.
///
/// It is a class because a struct would be copied into the frames of every request.
package final class MarketplaceContext: Sendable {
    package let catalog: CatalogCache
    let shared: FeatureContext
    /// The threads for expensive cryptography; `nil` in a command.
    private let pool: CryptoPool?

    package init(catalog: CatalogCache, clock: any WallClock, pool: CryptoPool?) {
        self.catalog = catalog
        self.pool = pool
        shared = FeatureContext(store: catalog.store, clock: clock)
    }

    package var store: ServerStore { shared.store }
    package var clock: any WallClock { shared.clock }

    /// Runs an expensive computation on the server's pool, or on the calling thread in a command.
    ///
    /// Throws the transient error `crypto_busy` if too many computations are waiting.
    func compute<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async throws(ServerError) -> Value {
        guard let pool else { return work() }
        return try await pool.run(work)
    }
}

extension ServerContext {
    /// The context of a running server's use cases.
    package func marketplace() -> MarketplaceContext {
        MarketplaceContext(catalog: catalog, clock: clock, pool: compute)
    }
}

extension Installation {
    /// The context of a command's use cases.
    package func marketplace() async throws -> MarketplaceContext {
        MarketplaceContext(catalog: try await catalog(), clock: clock, pool: nil)
    }
}
