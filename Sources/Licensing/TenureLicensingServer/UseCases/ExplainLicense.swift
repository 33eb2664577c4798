import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore

extension LicensingContext {
    /// Explains a license's current state to its vendor or its holder.
    ///
    /// Counts the activations, evaluates the license's rules and reads the reasons that operators gave, without
    /// changing anything.
    func explain(
        _ license: License, to audience: ExplanationAudience = .vendor
    ) async throws(ServerError) -> License.Explanation {
        let (activations, events) = try await asking {
            (
                try await store.activations(of: license.id, includingReleased: true),
                try await store.newestEvents(
                    of: license.id, tenant: license.product.tenant, kinds: StatedAct.kinds,
                    limit: Self.mostStatedActs)
            )
        }
        let policy = try await catalog.refreshIfChanged().policy(of: license)
        let now = clock.now()
        return license.explain(
            to: audience, activations, devices: CountedDevice.among(activations, at: now), events: events.map(\.event),
            under: policy, at: now)
    }

    /// How many of the newest acts an explanation looks at for reasons.
    private static let mostStatedActs = 100
}
