extension License {
    /// Decides for a device that gives back its own place; another device's is refused.
    public func deactivate(
        _ activation: Activation, from device: DeviceIdentity, at now: Timestamp
    ) -> Decision<Consequences> {
        if activation.isLive, activation.identity != device { return .refused(Refusal(.activationOtherDevice)) }
        return .granted(deactivate(activation, by: .device, at: now))
    }

    /// Decides what giving back a seat changes: the seat is free afterwards, whatever the license's state.
    ///
    /// Repeating it changes nothing.
    public func deactivate(_ activation: Activation, by actor: Actor, at now: Timestamp) -> Consequences {
        guard activation.isLive else { return .none }
        var released = activation
        released.releasedAt = now
        released.releasedBy = Activation.Releaser(actor)
        return Consequences(
            activation: released,
            events: [
                Event(
                    .activationReleased, at: now, product: product, license: id, activation: activation.id, actor: actor
                )
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
        case .account, .time: return nil
        }
    }
}
