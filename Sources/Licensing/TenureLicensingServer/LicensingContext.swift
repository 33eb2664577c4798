public import TenureServerKit
import TenureStore

/// The dependencies that the use cases of licensing share.
///
/// It is a class because a struct would be copied into the frames of every request.
public final class LicensingContext: Sendable {
    let catalog: CatalogCache
    let shared: FeatureContext
    let randomness: Randomness
    let activationRate = ActivationRateLimit()

    /// Creates a context; keys and ids are drawn from `randomness`.
    public init(catalog: CatalogCache, clock: any WallClock, randomness: Randomness = .system) {
        self.catalog = catalog
        shared = FeatureContext(store: catalog.store, clock: clock)
        self.randomness = randomness
    }

    var store: ServerStore { shared.store }
    var clock: any WallClock { shared.clock }
}

extension Installation {
    /// The context of a command's use cases.
    func licensing() async throws -> LicensingContext {
        LicensingContext(catalog: try await catalog(), clock: clock)
    }
}
