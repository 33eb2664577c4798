public import TenureServerKit
import TenureStore

/// The dependencies that the use cases of licensing share.
///
/// It is a class because a struct would be copied into the frames of every request.
public final class LicensingContext: Sendable {
    let catalog: CatalogCache
    let clock: any WallClock
    let randomness: Randomness
    let activationRate = ActivationRateLimit()

    /// Creates a context; keys and ids are drawn from `randomness`.
    public init(catalog: CatalogCache, clock: any WallClock, randomness: Randomness = .system) {
        self.catalog = catalog
        self.clock = clock
        self.randomness = randomness
    }

    var store: any Store { catalog.store }
}

extension Installation {
    /// The context of a command's use cases.
    func licensing() async throws -> LicensingContext {
        LicensingContext(catalog: try await catalog(), clock: clock)
    }
}
