public import TenureCore
public import TenureStore

/// Takes a release back, for the operator: a holder released the wrong device, or somebody else did.
public struct RestoreActivation: Sendable {
    let store: any Store
    let catalog: CatalogCache
    let clock: any WallClock

    /// Decides under a catalog, by a clock.
    public init(store: any Store, catalog: CatalogCache, clock: any WallClock) {
        self.store = store
        self.catalog = catalog
        self.clock = clock
    }

    /// Gives the device its place again; durable before this returns. Whether this call changed anything, or why not.
    ///
    /// Answers nil when there is no such activation. Throws ``ServerError``: after a transient one the same call may be
    /// made again.
    public func callAsFunction(
        _ activation: ActivationID, by actor: Actor
    ) async throws(ServerError) -> Decision<Bool>? {
        let known = try await asking { () async throws(StoreError) in try await store.activation(activation) }
        guard let identity = known?.identity else { return nil }
        let now = clock.now()
        let keys = LoadKeys(license: .activation(activation), seatsFor: identity)
        return try await catalog.perform(loading: keys) {
            (loaded, snapshot) throws(ServerError) -> Saving<Decision<Bool>?> in
            guard let license = loaded.license, let seat = loaded.activation, let seats = loaded.seats else {
                return Saving(nil)
            }
            switch license.restore(seat, seats: seats, under: try snapshot.policy(of: license), by: actor, at: now) {
            case .refused(let refusal): return Saving(.refused(refusal))
            case .granted(let consequences): return Saving(.granted(!consequences.isEmpty), [Write](consequences))
            }
        }
    }
}
