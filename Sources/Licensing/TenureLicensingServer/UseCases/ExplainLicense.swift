import TenureCore
public import TenureLicensing
public import TenureServerKit
public import TenureStore

/// Explains a license's current state.
public struct ExplainLicense: Sendable {
    let store: any Store
    let catalog: CatalogCache
    let clock: any WallClock

    /// Creates a use case that reads a store and its catalog.
    public init(store: any Store, catalog: CatalogCache, clock: any WallClock) {
        self.store = store
        self.catalog = catalog
        self.clock = clock
    }

    /// Counts the activations and evaluates the license's rules, without changing anything.
    public func callAsFunction(_ license: License) async throws(ServerError) -> LicenseExplanation {
        let activations = try await asking { try await store.activations(of: license.id, includingReleased: true) }
        let policy = try await catalog.refreshIfChanged().policy(of: license)
        let now = clock.now()
        return license.explain(
            activationCount: activations.count(where: \.isLive), devices: CountedDevice.among(activations, at: now),
            under: policy,
            at: now)
    }
}
