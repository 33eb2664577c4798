public import TenureCore

extension License {
    /// A device's request to activate a license.
    public struct ActivationAttempt: Sendable, Hashable {
        /// The id of the activation if a new one is created.
        public let newID: ActivationID
        /// The characteristic by which the device will be recognized.
        public let identity: DeviceIdentity
        /// The device's display name.
        public let name: String
        /// The device's operating system; `nil` if it didn't report one.
        public let system: DeviceSystem?

        /// Creates an activation request with these values, which aren't checked.
        public init(newID: ActivationID, identity: DeviceIdentity, name: String, system: DeviceSystem? = nil) {
            self.newID = newID
            self.identity = identity
            self.name = name
            self.system = system
        }
    }

    /// A license's live activations, as read for one request.
    public struct Activations: Sendable, Hashable {
        /// The number of live activations.
        public let activeCount: Int
        /// The requesting device's latest live activation; `nil` if there is none, and always for an anonymous device.
        public let existing: Activation?

        /// Combines the number of live activations with the requesting device's own, if any.
        public init(activeCount: Int, existing: Activation?) {
            self.activeCount = activeCount
            self.existing = existing
        }
    }

    /// The result of an activation request.
    public enum ActivationAnswer: Sendable, Hashable {
        /// The device is active, newly or already, with a lease that is `active` or `fallback`.
        case activated(Activation, LeaseTerms, Consequences)
        /// The request was refused, and nothing changes.
        ///
        /// If the license has expired, `lease` is an expired lease and `existing` the device's live activation, if it
        /// has one.
        case refused(Refusal, lease: LeaseTerms?, existing: Activation?)
    }

    /// Decides whether a license may be activated on a device.
    ///
    /// A device that is already active keeps its activation unchanged, even if the limit has been lowered since. An
    /// expired license can be activated only if the policy has fallback access, and then in the reduced mode. A term
    /// that starts at the first activation starts now.
    ///
    /// Besides the live activations, the number of different devices is limited. Active and recently released devices
    /// together may exceed the activation limit by at most the policy's `deviceChanges`. Moving to another device
    /// therefore works at once, and a counted device can return at any time. But releasing devices doesn't allow leases
    /// to be collected on ever more devices.
    ///
    /// - Parameter devices: Those that count against the limit; needed if ``Policy/countsDevices(of:at:)`` is true.
    public func activate(
        _ attempt: License.ActivationAttempt, activations: License.Activations, devices: [CountedDevice] = [],
        under policy: Policy,
        at now: Timestamp
    ) -> License.ActivationAnswer {
        let existing = activations.existing.flatMap { attempt.isFrom($0, at: now) ? $0 : nil }
        let started = starting(at: now)
        let lease = LeaseTerms(of: started, under: policy, at: now)
        var reasons = started.obstacles(under: policy, at: now)
        let lapsedIntoFallback = recordedState.isOpen && lease.status == .fallback
        if lapsedIntoFallback { reasons = [] }
        if existing == nil {
            let used = policy.obstacle(
                to: attempt, of: self, after: devices, activeCount: activations.activeCount, at: now)
            reasons += [used].compactMap(\.self)
        }
        if let refusal = Refusal(reasons) {
            let signedNo = recordedState.isOpen && lease.status == .expired ? lease : nil
            return .refused(refusal, lease: signedNo, existing: existing)
        }
        if let existing { return .activated(existing, lease, .none) }
        return takeSeat(attempt, lease: lease, at: now)
    }

    private func takeSeat(_ attempt: License.ActivationAttempt, lease: LeaseTerms, at now: Timestamp)
        -> License.ActivationAnswer
    {
        let activation = Activation(
            id: attempt.newID, license: id, identity: attempt.identity, name: attempt.name, system: attempt.system,
            activatedAt: now, releasedAt: nil)
        var consequences = Consequences(activation: activation)
        if firstActivatedAt == nil || terms.unstarted != nil {
            var license = starting(at: now)
            license.firstActivatedAt = firstActivatedAt ?? now
            if recordedState == .issued { license.recordedState = .active }
            consequences.license = license
        }
        consequences.events = [
            Event(.activationCreated, at: now, actor: .device, about: subject(activation))
        ]
        if terms.unstarted != nil, let license = consequences.license, let end = license.term.end {
            consequences.events.append(
                Event(
                    .licenseStarted, at: now, actor: .device, about: subject,
                    facts: [.init("startedAt", .date(license.term.start)), .init("expiresAt", .date(end))]))
        }
        return .activated(activation, lease, consequences)
    }
}

extension License.ActivationAttempt {
    /// Whether the activation belongs to this device, or to this same request repeated within
    /// ``DeviceIdentity/attemptWindow``.
    func isFrom(_ activation: Activation, at now: Timestamp) -> Bool {
        guard activation.isLive, activation.identity == identity else { return false }
        switch activation.identity {
        case .machine, .freeTier: return true
        case .attempt: return activation.activatedAt.seconds(until: now) <= DeviceIdentity.attemptWindow
        case .anonymous: return false
        }
    }
}

extension License {
    /// Releases the requesting device; refused for another device's activation.
    public func deactivate(
        _ activation: Activation, from device: DeviceIdentity, under policy: Policy?, at now: Timestamp
    ) -> Decision<Consequences> {
        if activation.isLive, !activation.identity.isSame(as: device) {
            return .refused(Refusal(.activationOtherDevice))
        }
        return .granted(deactivate(activation, by: .device, under: policy, at: now))
    }

    /// Releases a device, whatever the license's state.
    ///
    /// Releasing a released device changes nothing.
    ///
    /// - Parameter policy: The license's policy. It may be `nil` if the catalog no longer contains it, so that a device
    ///   can still be released.
    public func deactivate(
        _ activation: Activation, because reason: StatedReason? = nil, by actor: Actor, under policy: Policy?,
        at now: Timestamp
    ) -> Consequences {
        guard activation.isLive else { return .none }
        let released = activation.released(by: Activation.Releaser(actor), under: policy, at: now)
        return Consequences(
            license: counting(released), activation: released,
            events: [
                Event(
                    .activationReleased, at: now, actor: actor, about: subject(activation),
                    facts: reason?.facts ?? [])
            ])
    }
}

extension Activation.Releaser {
    /// Maps an actor to the party that releases a device; `nil` if that actor can't release one.
    init?(_ actor: Actor) {
        switch actor.kind {
        case .device: self = .device
        case .holder: self = .holder
        case .operator: self = .operator
        default: return nil
        }
    }
}

extension License {
    /// Decides whether the holder may release another device.
    ///
    /// The holder is authenticated by the requesting device's own activation or by a one-time link. Refused if the
    /// policy has no ``Policy/selfRelease``, the license is stopped, or its releases of other devices are used up or
    /// too close together. Releasing an unknown or already released activation succeeds and changes nothing.
    ///
    /// - Parameters:
    ///   - target: The activation to release, if the store contains it.
    ///   - asking: The activation of the requesting device; `nil` on the license's page.
    ///   - releases: When the holder released devices of this license in the last 365 days.
    public func releaseByHolder(
        _ target: Activation?, asking: ActivationID?, releases: [Timestamp], under policy: Policy, at now: Timestamp
    ) -> Decision<Consequences> {
        guard let rule = policy.selfRelease else { return .refused(Refusal(.selfReleaseOff)) }
        if !recordedState.isOpen, let refusal = Refusal(obstacles(under: policy, at: now)) { return .refused(refusal) }
        guard let target, target.license == id, target.isLive else { return .granted(.none) }
        if target.id == asking { return .granted(deactivate(target, by: .device, under: policy, at: now)) }
        let remaining = rule.remaining(after: releases, at: now)
        if let nextAt = remaining.nextAt {
            return .refused(
                Refusal(remaining.left == 0 ? .selfReleaseUsedUp(rule, until: nextAt) : .selfReleaseCooldown(nextAt)))
        }
        let released = target.released(by: .holder, under: policy, at: now)
        return .granted(
            Consequences(
                license: counting(released), activation: released,
                events: [
                    Event(
                        .activationReleased, at: now, actor: asking == nil ? .holder : .device, about: subject(target),
                        facts: [
                            .init("releasedBy", .text(Activation.Releaser.holder.rawValue)),
                            .init("askedFrom", .text(asking?.description ?? "link")),
                        ])
                ]))
    }

    /// Returns the license with a later ``devicesCountUntil``; `nil` unless the released device counts against the
    /// device limit for longer than all earlier ones.
    private func counting(_ released: Activation) -> License? {
        guard let until = released.countsUntil, devicesCountUntil.map({ $0 < until }) ?? true else { return nil }
        var license = self
        license.devicesCountUntil = until
        return license
    }

    /// Undoes a release: the device is active again, and the release no longer uses up the holder's allowance.
    ///
    /// Nothing changes if the release was already undone or the device has been activated again. Refused if the
    /// activation limit is reached, and if the license has been revoked or returned.
    public func restore(
        _ activation: Activation, activations: License.Activations, under policy: Policy, by actor: Actor,
        at now: Timestamp
    ) -> Decision<Consequences> {
        if let refusal = Self.chart.end(in: recordedState) { return .refused(refusal) }
        if activation.isLive || activations.existing != nil { return .granted(.none) }
        if let limit = policy.allowance(of: self).reachedLimit(active: activations.activeCount) {
            return .refused(Refusal(.activationLimitReached(activeCount: activations.activeCount, of: limit)))
        }
        var restored = activation
        restored.releasedAt = nil
        restored.releasedBy = nil
        restored.countsUntil = nil
        return .granted(
            Consequences(
                activation: restored,
                events: [
                    Event(.activationRestored, at: now, actor: actor, about: subject(activation))
                ]))
    }
}
