extension License {
    /// Decides whether a holder may release another device: the one at hand proves by its own seat who asks, or a
    /// one-time link of the license does.
    ///
    /// Refused unless the policy has ``Policy/selfRelease``, while the license is stopped, and when the releases are used
    /// up or too close together. Releasing what holds no seat of this license is granted and changes nothing.
    /// - Parameters:
    ///   - target: The activation to release, if the store knows it.
    ///   - asking: The activation of the device at hand; nil on the license's page.
    ///   - releases: When the holder released devices of this license in the last 365 days.
    public func releaseByHolder(
        _ target: Activation?, asking: ActivationID?, releases: [Timestamp], under policy: Policy, at now: Timestamp
    ) -> Decision<Consequences> {
        guard let rule = policy.selfRelease else { return .refused(Refusal(.selfReleaseOff)) }
        if !recordedState.isOpen, let refusal = Refusal(obstacles(under: policy, at: now)) { return .refused(refusal) }
        guard var target, target.license == id, target.isLive else { return .granted(.none) }
        if target.id == asking { return .granted(deactivate(target, by: .device, at: now)) }
        let standing = rule.standing(after: releases, at: now)
        if let nextAt = standing.nextAt {
            return .refused(
                Refusal(standing.left == 0 ? .selfReleaseUsedUp(rule, until: nextAt) : .selfReleaseCooldown(nextAt)))
        }
        target.releasedAt = now
        target.releasedBy = .holder
        return .granted(
            Consequences(
                activation: target,
                events: [
                    Event(
                        .activationReleased, at: now, product: product, license: id, activation: target.id,
                        actor: asking == nil ? .holder : .device,
                        detail: [
                            .init("releasedBy", .text(Activation.Releaser.holder.rawValue)),
                            .init("askedFrom", .text(asking?.description ?? "link")),
                        ])
                ]))
    }

    /// Decides on taking a release back: the device has its seat again, and the holder's release no longer counts.
    ///
    /// Repeating it changes nothing, nor does restoring a device that has activated again. Refused when all seats are
    /// taken, and for a revoked or returned license.
    public func restore(
        _ activation: Activation, seats: Seats, under policy: Policy, by actor: Actor, at now: Timestamp
    ) -> Decision<Consequences> {
        if recordedState.isFinal {
            return .refused(Refusal(recordedState == .revoked ? .licenseRevoked : .licenseReturned))
        }
        if activation.isLive || seats.known != nil { return .granted(.none) }
        if let limit = policy.activationLimit, seats.taken >= limit {
            return .refused(Refusal(.activationLimitReached(taken: seats.taken, of: limit)))
        }
        var restored = activation
        restored.releasedAt = nil
        restored.releasedBy = nil
        return .granted(
            Consequences(
                activation: restored,
                events: [
                    Event(
                        .activationRestored, at: now, product: product, license: id, activation: activation.id,
                        actor: actor)
                ]))
    }
}

extension EventKind {
    /// A release was taken back.
    public static let activationRestored = EventKind("activation.restored")
    /// The operator made a one-time link to a license's page.
    public static let licenseLinkMade = EventKind("license.link_made")
    /// A holder opened a license's page with a one-time link.
    public static let licenseSessionOpened = EventKind("license.session_opened")
    /// A holder closed a license's page.
    public static let licenseSessionClosed = EventKind("license.session_closed")
}
