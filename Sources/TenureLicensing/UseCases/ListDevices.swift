public import TenureCore
public import TenureServerKit
import TenureStore

/// Lists the devices of a license for its holder, with what the holder may release.
public struct ListDevices: Sendable {
    let store: any Store
    let clock: any WallClock

    /// The devices that hold a place, and what is left of the holder's releases; nil where the policy has none.
    ///
    /// Throws ``ServerError``.
    public func callAsFunction(
        of license: LicenseID, under policy: Policy
    ) async throws(ServerError) -> (devices: [Activation], left: SelfRelease.Standing?) {
        let all = try await asking { () async throws(StoreError) in
            try await store.activations(of: license, includingReleased: true)
        }
        let releases = all.filter { $0.releasedBy == .holder }.compactMap(\.releasedAt)
        let left = policy.selfRelease?.standing(after: releases, at: clock.now())
        return (all.filter(\.isLive), left)
    }
}

extension PublicNames {
    /// An activation under the id that others than its own device may know.
    public func shown(_ activation: Activation) -> Activation {
        Activation(
            id: shown(activation.id), license: activation.license, identity: activation.identity,
            name: activation.name, activatedAt: activation.activatedAt, lastSeenAt: activation.lastSeenAt,
            releasedAt: activation.releasedAt, releasedBy: activation.releasedBy)
    }
}
