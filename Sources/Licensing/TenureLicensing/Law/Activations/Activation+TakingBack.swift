package import TenureCore

extension Activation {
    /// Applies a later state's release to this activation from an old copy of the store.
    ///
    /// The result is `nil` if there is no release to apply.
    package func takingBack(_ later: Activation) -> (Activation, acts: [String])? {
        guard isLive, !later.isLive else { return nil }
        var activation = self
        activation.releasedAt = later.releasedAt
        activation.releasedBy = later.releasedBy
        activation.countsUntil = later.countsUntil
        return (activation, ["released"])
    }

    /// The activation as released, after a later store has removed the record of its release.
    package func releasedSince(at now: Timestamp) -> Activation {
        var activation = self
        activation.releasedAt = now
        return activation
    }
}
