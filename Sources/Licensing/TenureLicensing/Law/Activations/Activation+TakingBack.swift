import TenureCore

extension Activation {
    /// Carries over a release.
    package func takingBack(_ later: Activation) -> (Activation, acts: [String])? {
        guard isLive, !later.isLive else { return nil }
        var activation = self
        activation.releasedAt = later.releasedAt
        activation.releasedBy = later.releasedBy
        activation.countsUntil = later.countsUntil
        return (activation, ["released"])
    }
}
