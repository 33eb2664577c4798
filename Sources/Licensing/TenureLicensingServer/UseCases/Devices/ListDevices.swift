import TenureCore
public import TenureLicensing
public import TenureServerKit
import TenureStore

extension LicensingContext {
    /// Lists the devices of a license for its holder, with the number of releases that are left.
    ///
    /// Returns the devices that were activated last and the holder's remaining releases, which are `nil` if the policy
    /// allows none. The requesting device is listed even if others were activated later.
    func devices(
        of license: LicenseID, for requester: ActivationID? = nil, under policy: Policy
    ) async throws(ServerError) -> (devices: DeviceList, left: SelfRelease.Remaining?) {
        var devices = try await store.devices(of: license)
        if let requester, devices.hidden > 0,
            let own = try await store.seenActivation(requester), own.activation.isLive
        {
            devices = devices.listing(own)
        }
        guard let selfRelease = policy.selfRelease else { return (devices, nil) }
        let plan = Self.holderReleases
        let releases = try await store.fetch(plan.bind(license))[plan.queries]
        return (devices, selfRelease.remaining(after: releases.compactMap(\.releasedAt), at: clock.now()))
    }

    /// The license's releases by its holder, latest first; at most as many as a policy may allow per year.
    private static let holderReleases = QueryPlan(for: LicenseID.self) { query in
        query.rows(Activation.releasedByHolder, upTo: SelfRelease.highestPerYear) { [.of($0)] }
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
