public import TenureCore
public import TenureServerKit
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
        return try await catalog.perform(Self.form.asked(.of(target))) {
            (seen, looks, snapshot) throws(ServerError) -> Saving<Refusal?> in
            guard let found = seen[looks.seat.license], found.id == license else { return Saving(nil) }
            let device = seen[looks.seat.activation]
            let decision = found.releaseByHolder(
                device, asking: asking, releases: looks.releases(in: seen),
                under: try snapshot.policy(of: found), at: now)
            return Saving(decision.refusal, decision.outcome.map { [Save]($0, over: found, device) } ?? [])
        }
    }

    private static let form = CatalogForm(ReleaseLooks.init)
}
