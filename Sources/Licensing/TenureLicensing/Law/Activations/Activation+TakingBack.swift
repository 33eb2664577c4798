package import TenureCore

extension Activation {
    /// Releases this activation, which comes from an old copy of the store, if a later state of the store released it.
    ///
    /// The result is `nil` if there is no release to carry over.
    package func takingBack(
        _ later: Activation, since changes: RecordChanges = .ofOldCopy
    ) -> (Activation, acts: [String])? {
        guard isLive, !later.isLive, changes.include([.activationReleased]) else { return nil }
        var activation = self
        activation.releasedAt = later.releasedAt
        activation.releasedBy = later.releasedBy
        activation.countsUntil = later.countsUntil
        return (activation, ["released"])
    }

    /// Returns the activation as released, after a later store has removed the record of its release or its device has
    /// activated the license again.
    package func releasedSince(at now: Timestamp) -> Activation {
        var activation = self
        activation.releasedAt = now
        return activation
    }

    /// Returns the activation's state in a later store; a release stays, unless that store undid it and no other store
    /// released the device.
    ///
    /// - Parameters:
    ///   - events: The later store's events about the activation.
    ///   - others: The events of other stores about the activation.
    package func merging(_ later: Activation, events: [Event], others: [Event]) -> Activation {
        let isRestored =
            events.contains { $0.kind == .activationRestored }
            && !others.contains { $0.kind == .activationReleased }
        return isLive || !later.isLive || isRestored ? later : self
    }

    /// Compares this activation, from an old copy of the store, with a later state.
    ///
    /// Returns the names of the acts that made the later state more permissive; `nil` if it isn't more permissive. Its
    /// counterpart is ``takingBack(_:since:)``.
    package func giving(_ later: Activation) -> [String]? {
        if !isLive, later.isLive { return ["restored"] }
        // The vendor has stopped counting the released device, which is no named act.
        return countsUntil != nil && later.countsUntil == nil && !later.isLive ? [] : nil
    }
}
