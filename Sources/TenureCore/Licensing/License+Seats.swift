/// A device's wish to take a seat.
public struct ActivationAttempt: Sendable, Hashable {
    /// The name the activation gets if it is a new one.
    public let newID: ActivationID
    /// By what the device would be known again.
    public let identity: DeviceIdentity
    /// By what else it may have been known before; nil for nothing.
    public let former: DeviceIdentity?
    /// What the device calls itself, for people.
    public let name: String

    /// States the wish.
    public init(newID: ActivationID, identity: DeviceIdentity, former: DeviceIdentity? = nil, name: String) {
        self.newID = newID
        self.identity = identity
        self.former = former
        self.name = name
    }
}

/// The seats of a license as one attempt sees them.
public struct Seats: Sendable, Hashable {
    /// How many are taken.
    public let taken: Int
    /// The latest live activation of the same identity, if there is one; never for an anonymous device.
    public let known: Activation?

    /// Counts the seats.
    public init(taken: Int, known: Activation?) {
        self.taken = taken
        self.known = known
    }
}

/// What an attempt to activate comes to.
public enum ActivateAnswer: Sendable, Hashable {
    /// The device holds a seat, newly or still, and may run on these terms: active or fallback.
    case activated(Activation, LeaseTerms, Consequences)
    /// No seat was taken and nothing changes. An expired license comes with the terms of a signed no, and with the
    /// activation that the device still holds, if it does.
    case refused(Refusal, lease: LeaseTerms?, existing: Activation?)
}

extension License {
    /// Decides whether a device gets a seat.
    ///
    /// A device that is already active keeps its activation, whatever the limit has become since. A lapsed license
    /// takes a seat only with fallback access, for the reduced mode.
    ///
    /// Beside the places, different devices are counted: those that hold one and those that gave one back lately may be
    /// so many more than the places as the policy has `deviceChanges`. So moving works at once, a device that counts
    /// comes back as it likes, and nobody gathers leases of more devices by giving places back.
    /// - Parameter devices: The devices that count; needed where ``Policy/countsDevices(of:at:)``.
    public func activate(
        _ attempt: ActivationAttempt, seats: Seats, devices: [CountedDevice] = [], under policy: Policy,
        at now: Timestamp
    ) -> ActivateAnswer {
        let known = seats.known.flatMap { attempt.isFrom($0, at: now) ? $0 : nil }
        let lease = leaseTerms(under: policy, at: now)
        var reasons = obstacles(under: policy, at: now)
        let lapsedIntoFallback = recordedState.isOpen && lease.status == .fallback
        if lapsedIntoFallback { reasons = [] }
        if known == nil, let limit = policy.activationLimit, seats.taken >= limit {
            reasons.append(.activationLimitReached(taken: seats.taken, of: limit))
        } else if known == nil {
            let used = policy.obstacle(to: attempt, after: devices, taken: seats.taken, at: now)
            reasons += [used].compactMap(\.self)
        }
        if let refusal = Refusal(reasons) {
            let signedNo = recordedState.isOpen && lease.status == .expired ? lease : nil
            return .refused(refusal, lease: signedNo, existing: known)
        }
        if let known { return .activated(known, lease, .none) }
        return takeSeat(attempt, lease: lease, at: now)
    }

    private func takeSeat(_ attempt: ActivationAttempt, lease: LeaseTerms, at now: Timestamp) -> ActivateAnswer {
        let activation = Activation(
            id: attempt.newID, license: id, identity: attempt.identity, name: attempt.name, activatedAt: now,
            lastSeenAt: now, releasedAt: nil)
        var consequences = Consequences(activation: activation)
        if firstActivatedAt == nil {
            var license = self
            license.firstActivatedAt = now
            if recordedState == .issued { license.recordedState = .active }
            consequences.license = license
        }
        consequences.events = [
            Event(
                .activationCreated, at: now, actor: .device, about: subject(activation),
                facts: attempt.name.isEmpty ? [] : [.init("instanceName", .text(attempt.name))])
        ]
        return .activated(activation, lease, consequences)
    }
}

extension ActivationAttempt {
    /// Whether the activation is this very device's, or this very attempt's sent again in time.
    func isFrom(_ activation: Activation, at now: Timestamp) -> Bool {
        guard activation.isLive, [identity, former].contains(activation.identity) else { return false }
        switch activation.identity {
        case .machine, .freeTier: return true
        case .attempt: return activation.activatedAt.seconds(until: now) <= DeviceIdentity.attemptWindow
        case .anonymous: return false
        }
    }
}

extension License {
    /// Decides for a device that gives back its own place; another device's is refused.
    public func deactivate(
        _ activation: Activation, from device: DeviceIdentity, under policy: Policy?, at now: Timestamp
    ) -> Decision<Consequences> {
        if activation.isLive, !activation.identity.isSame(as: device) {
            return .refused(Refusal(.activationOtherDevice))
        }
        return .granted(deactivate(activation, by: .device, under: policy, at: now))
    }

    /// Decides what giving back a seat changes: the seat is free afterwards, whatever the license's state.
    ///
    /// Repeating it changes nothing.
    /// - Parameter policy: The rules of the license; nil where the catalog has lost them, which keeps no place taken.
    public func deactivate(
        _ activation: Activation, by actor: Actor, under policy: Policy?, at now: Timestamp
    ) -> Consequences {
        guard activation.isLive else { return .none }
        let released = activation.released(by: Activation.Releaser(actor), under: policy, at: now)
        return Consequences(
            license: counting(released), activation: released,
            events: [
                Event(.activationReleased, at: now, actor: actor, about: subject(activation))
            ])
    }
}

extension Activation.Releaser {
    /// Who an actor is to a seat; nil for one that gives none back.
    init?(_ actor: Actor) {
        switch actor {
        case .device: self = .device
        case .holder: self = .holder
        case .operator: self = .operator
        case .account, .time, .appStore: return nil
        }
    }
}

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
        guard let target, target.license == id, target.isLive else { return .granted(.none) }
        if target.id == asking { return .granted(deactivate(target, by: .device, under: policy, at: now)) }
        let standing = rule.standing(after: releases, at: now)
        if let nextAt = standing.nextAt {
            return .refused(
                Refusal(standing.left == 0 ? .selfReleaseUsedUp(rule, until: nextAt) : .selfReleaseCooldown(nextAt)))
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

    /// The license, if a device that gave back its place counts for longer than all before; else nil.
    private func counting(_ released: Activation) -> License? {
        guard let until = released.countsUntil, devicesCountUntil.map({ $0 < until }) ?? true else { return nil }
        var license = self
        license.devicesCountUntil = until
        return license
    }

    /// Decides on taking a release back: the device has its seat again, and the holder's release no longer counts.
    ///
    /// Repeating it changes nothing, nor does restoring a device that has activated again. Refused when all seats are
    /// taken, and for a revoked or returned license.
    public func restore(
        _ activation: Activation, seats: Seats, under policy: Policy, by actor: Actor, at now: Timestamp
    ) -> Decision<Consequences> {
        if let refusal = Self.chart.end(in: recordedState) { return .refused(refusal) }
        if activation.isLive || seats.known != nil { return .granted(.none) }
        if let limit = policy.activationLimit, seats.taken >= limit {
            return .refused(Refusal(.activationLimitReached(taken: seats.taken, of: limit)))
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
