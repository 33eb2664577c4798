/// What an operator may do to a license.
public enum OperatorAct: Sendable, Hashable {
    /// Replaces the term by a later one.
    case renew(RenewalLength)
    /// Stops it, reversibly.
    case suspend
    /// Ends a suspension.
    case reinstate
    /// Stops it, finally.
    case revoke
    /// Takes it back from its holder, finally.
    case giveBack
    /// Edits policy, holder or end.
    case change(LicenseEdit)
    /// Gives it another key.
    case rekey(LicenseKey)
}

extension License {
    /// Decides on an operator's act; see the act's own function for what it refuses.
    public func perform(
        _ act: OperatorAct, under policy: Policy, by actor: Actor, at now: Timestamp
    ) -> Decision<Consequences> {
        switch act {
        case .renew(let length): renew(length, under: policy, by: actor, at: now)
        case .suspend: suspend(by: actor, at: now)
        case .reinstate: reinstate(by: actor, at: now)
        case .revoke: revoke(by: actor, at: now)
        case .giveBack: giveBack(by: actor, at: now)
        case .change(let edit): change(edit, by: actor, at: now)
        case .rekey(let key): rekey(to: key, by: actor, at: now)
        }
    }
}
