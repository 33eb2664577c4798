import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore

extension LicensingContext {
    /// Explains a license's current state.
    ///
    /// Counts the activations and evaluates the license's rules, without changing anything.
    func explain(_ license: License) async throws(ServerError) -> License.Explanation {
        let activations = try await asking { try await store.activations(of: license.id, includingReleased: true) }
        let policy = try await catalog.refreshIfChanged().policy(of: license)
        let now = clock.now()
        return license.explain(
            activationCount: activations.count(where: \.isLive), devices: CountedDevice.among(activations, at: now),
            under: policy,
            at: now)
    }
}
