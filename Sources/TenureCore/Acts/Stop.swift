extension License {
    /// Decides on a reversible stop. Repeating it changes nothing; a revoked or returned license refuses.
    public func suspend(by actor: Actor, at now: Timestamp) -> Decision<Consequences> {
        move(to: .suspended, recordedAs: .licenseSuspended, by: actor, at: now)
    }

    /// Decides on a final stop. Repeating it changes nothing; a returned license refuses: it is over already.
    public func revoke(by actor: Actor, at now: Timestamp) -> Decision<Consequences> {
        move(to: .revoked, recordedAs: .licenseRevoked, by: actor, at: now)
    }

    /// Decides on the holder's giving it back. Repeating it changes nothing; a revoked license refuses.
    public func giveBack(by actor: Actor, at now: Timestamp) -> Decision<Consequences> {
        move(to: .returned, recordedAs: .licenseReturned, by: actor, at: now)
    }

    /// Decides on the end of a suspension: the license is again what its term and its activations make of it.
    ///
    /// One that is not suspended stays as it is; a revoked or returned one refuses.
    public func reinstate(by actor: Actor, at now: Timestamp) -> Decision<Consequences> {
        guard recordedState == .suspended else { return unchangedUnlessFinal() }
        return move(to: openState, recordedAs: .licenseReinstated, by: actor, at: now)
    }

    private func move(
        to state: LicenseState, recordedAs kind: EventKind, by actor: Actor, at now: Timestamp
    ) -> Decision<Consequences> {
        guard recordedState != state, !recordedState.isFinal else { return unchangedUnlessFinal(but: state) }
        var license = self
        license.recordedState = state
        return .granted(
            recording(kind, license, by: actor, at: now, [.init("previousState", .text(self.state(at: now).rawValue))]))
    }

    private func unchangedUnlessFinal(but wanted: LicenseState? = nil) -> Decision<Consequences> {
        switch recordedState {
        case wanted: .granted(.none)
        case .revoked: .refused(Refusal(.licenseRevoked))
        case .returned: .refused(Refusal(.licenseReturned))
        case .issued, .active, .suspended, .expired: .granted(.none)
        }
    }
}
