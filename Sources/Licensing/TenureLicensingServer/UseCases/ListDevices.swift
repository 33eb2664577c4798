import TenureCore
public import TenureLicensing
public import TenureServerKit
import TenureStore

extension LicensingContext {
    /// Lists the devices of a license for its holder, with the number of releases that are left.
    ///
    /// Returns the activated devices and the holder's remaining releases, which are `nil` if the policy allows none.
    func devices(
        of license: LicenseID, under policy: Policy
    ) async throws(ServerError) -> (devices: [SeenActivation], left: SelfRelease.Remaining?) {
        let all = try await asking { try await store.seenActivations(of: license, includingReleased: true) }
        let releases = all.map(\.activation).filter { $0.releasedBy == .holder }.compactMap(\.releasedAt)
        let left = policy.selfRelease?.standing(after: releases, at: clock.now())
        return (all.filter(\.activation.isLive), left)
    }
}

extension PublicNames {
    /// An activation under the public id that other devices and people may see.
    public func shown(_ activation: Activation) -> Activation {
        Activation(
            id: shown(activation.id), license: activation.license, identity: activation.identity,
            name: activation.name, system: activation.system, activatedAt: activation.activatedAt,
            releasedAt: activation.releasedAt, releasedBy: activation.releasedBy)
    }

    /// An activation under its public id, and when its device was last seen.
    package func shown(_ seen: SeenActivation) -> SeenActivation {
        SeenActivation(shown(seen.activation), lastSeenAt: seen.lastSeenAt)
    }
}
