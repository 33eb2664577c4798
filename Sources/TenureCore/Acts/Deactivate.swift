extension License {
    /// Decides what giving back a seat changes: the seat is free afterwards, whatever the license's state.
    ///
    /// Repeating it changes nothing.
    public func deactivate(_ activation: Activation, by actor: Actor, at now: Timestamp) -> Consequences {
        guard activation.isLive else { return .none }
        var released = activation
        released.releasedAt = now
        return Consequences(
            activation: released,
            events: [
                Event(
                    .activationReleased, at: now, product: product, license: id, activation: activation.id, actor: actor
                )
            ])
    }
}
