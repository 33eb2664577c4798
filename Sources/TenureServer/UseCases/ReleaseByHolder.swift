public import TenureCore
import TenureStore

/// Releases a device for the holder of its license, who asks from another one.
public struct ReleaseByHolder: Sendable {
    let catalog: CatalogCache
    let clock: any WallClock

    /// Decides and saves in one transaction; the place is free when this returns nil, durably. Else why it is not.
    ///
    /// Repeating it changes nothing and counts once.
    /// - Parameters:
    ///   - target: The activation to release.
    ///   - license: The license of the device that asks, which has shown its own place.
    /// Throws ``ServerError``: after a transient one the same call may be made again.
    public func callAsFunction(
        _ target: ActivationID, of license: LicenseID, askedFrom asking: ActivationID
    ) async throws(ServerError) -> Refusal? {
        let now = clock.now()
        let keys = LoadKeys(
            license: .activation(target), releasesByHolderAfter: now.adding(days: -SelfRelease.countedDays))
        return try await catalog.perform(loading: keys) {
            (loaded, snapshot) throws(ServerError) -> Saving<Refusal?> in
            guard let found = loaded.license, found.id == license else { return Saving(nil) }
            let decision = found.releaseByHolder(
                loaded.activation, asking: asking, releases: loaded.releasesByHolder,
                under: try snapshot.policy(of: found), at: now)
            return Saving(decision.refusal, decision.outcome.map { [Write]($0) } ?? [])
        }
    }
}
