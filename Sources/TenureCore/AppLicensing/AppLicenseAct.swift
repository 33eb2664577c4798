/// What may be done to an app license besides renewing it.
public enum AppLicenseAct: String, Sendable, Hashable, CaseIterable {
    /// Stops it, reversibly: the next renewal is refused.
    case suspend
    /// Ends a suspension.
    case reinstate
    /// Stops it, finally; the device gets another only when the app is granted anew.
    case revoke
    /// Gives its place back, finally; the device may ask for another at any time.
    case giveBack
}

extension AppLicense {
    /// Decides on an act. One that names the state the license is in changes nothing; a final state refuses others.
    public func perform(_ act: AppLicenseAct, by actor: Actor, at now: Timestamp) -> Decision<AppConsequences> {
        switch act {
        case .suspend: move(to: .suspended, .appLicenseSuspended, by: actor, at: now)
        case .revoke: move(to: .revoked, .appLicenseRevoked, by: actor, at: now)
        case .giveBack: move(to: .returned, .appLicenseReturned, by: actor, at: now)
        case .reinstate: move(to: .active, onlyOutOf: .suspended, .appLicenseReinstated, by: actor, at: now)
        }
    }

    private func move(
        to state: License.State, onlyOutOf one: License.State? = nil, _ kind: EventKind, by actor: Actor,
        at now: Timestamp
    ) -> Decision<AppConsequences> {
        switch Self.chart.step(from: recordedState, to: state, onlyOutOf: one) {
        case .stays: return .granted(.none)
        case .refused(let refusal): return .refused(refusal)
        case .moves: break
        }
        var license = self
        license.recordedState = state
        license.stoppedAt = state == .active ? nil : now
        if state == .returned, case .account = actor, takesPlace(at: now) {
            license.countsUntil = max(term.end ?? now, now.adding(days: Policy.countedDays))
        }
        let detail: [Reason.Evidence] = [.init("previousState", .text(self.state(at: now).rawValue))]
        return .granted(AppConsequences(licenses: [license], events: [event(kind, by: actor, at: now, detail)]))
    }

    /// How acts move a license of an app, and in which words it refuses.
    static let chart = StateChart<License.State>(
        .final(.revoked, .appLicenseRevoked), .final(.returned, .appLicenseReturned),
        .reversible(.suspended, .appLicenseSuspended))
}
