package import TenureCore

extension Activation {
    /// Applies a later state's release to this activation from an old copy of the store.
    ///
    /// The result is `nil` if there is no release to apply.
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

    /// The activation as released, after a later store has removed the record of its release or its device has
    /// activated the license again.
    package func releasedSince(at now: Timestamp) -> Activation {
        var activation = self
        activation.releasedAt = now
        return activation
    }

    /// Returns a later store's state of this activation, which stays released if that store didn't undo a release.
    ///
    /// - Parameters:
    ///   - events: The later store's events about the activation.
    ///   - others: The events of other stores about it.
    package func merging(_ later: Activation, events: [Event], others: [Event]) -> Activation {
        let isRestored =
            events.contains { $0.kind == .activationRestored }
            && !others.contains { $0.kind == .activationReleased }
        return isLive || !later.isLive || isRestored ? later : self
    }

    /// What a later state of the activation gives beyond this one from an old copy of the store; `nil` if it gives
    /// nothing more.
    ///
    /// Its counterpart is ``takingBack(_:since:)``.
    package func giving(_ later: Activation) -> [String]? {
        if !isLive, later.isLive { return ["restored"] }
        // The vendor has ended the count of the released device.
        return countsUntil != nil && later.countsUntil == nil && !later.isLive ? [] : nil
    }
}
