/// A device's wish to take a seat.
public struct ActivationAttempt: Sendable, Hashable {
    /// The name the activation gets if it is a new one.
    public let newID: ActivationID
    /// By what the device would be known again.
    public let identity: DeviceIdentity
    /// What the device calls itself, for people.
    public let name: String

    /// States the wish.
    public init(newID: ActivationID, identity: DeviceIdentity, name: String) {
        self.newID = newID
        self.identity = identity
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
    /// takes a seat only with fallback access (seed 004, "limited").
    public func activate(
        _ attempt: ActivationAttempt, seats: Seats, under policy: Policy, at now: Timestamp
    ) -> ActivateAnswer {
        let known = seats.known.flatMap { attempt.isFrom($0, at: now) ? $0 : nil }
        let lease = leaseTerms(under: policy, at: now)
        var reasons = obstacles(under: policy, at: now)
        let lapsedIntoFallback = recordedState.isOpen && lease.status == .fallback
        if lapsedIntoFallback { reasons = [] }
        if known == nil, let limit = policy.activationLimit, seats.taken >= limit {
            reasons.append(.activationLimitReached(taken: seats.taken, of: limit))
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
                .activationCreated, at: now, product: product, license: id, activation: activation.id, actor: .device,
                detail: attempt.name.isEmpty ? [] : [.init("instanceName", .text(attempt.name))])
        ]
        return .activated(activation, lease, consequences)
    }
}

extension ActivationAttempt {
    /// Whether the activation is this very device's, or this very attempt's sent again in time.
    func isFrom(_ activation: Activation, at now: Timestamp) -> Bool {
        guard activation.isLive, activation.identity == identity else { return false }
        switch identity {
        case .machine, .freeTier: return true
        case .attempt: return activation.activatedAt.seconds(until: now) <= DeviceIdentity.attemptWindow
        case .anonymous: return false
        }
    }
}
