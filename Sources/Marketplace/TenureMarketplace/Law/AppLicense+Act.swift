public import TenureCore

extension AppLicense {
    /// An act on an app license other than a renewal.
    public enum Act: String, Sendable, Hashable, CaseIterable {
        /// Suspends the license: the next renewal is refused.
        case suspend
        /// Ends a suspension, so that the license can be renewed again.
        case reinstate
        /// Revokes the license for good; the device gets another license only if the app is granted again.
        case revoke
        /// Returns the license for good and frees the device; the device can request another license at any time.
        case giveBack
    }

    /// Decides on an act; a revoked or returned license refuses every other act.
    ///
    /// If the license already has the state that the act leads to, the license itself doesn't change. The act also
    /// applies to the device's other licenses of the app and account, unless this license was revoked or returned
    /// before. The reason is that the device can renew each of them: after a failed update, for example, it still has
    /// the earlier license. A reinstatement applies only to licenses that were suspended at the same time.
    ///
    /// - Parameter others: The device's licenses of this app and account. This license, and licenses of another device,
    ///   app or account, are ignored.
    /// - Returns: The changes, with this license's first if it changes.
    public func perform(
        _ act: AppLicense.Act, with others: [AppLicense], by actor: Actor, at now: Timestamp
    ) -> Decision<AppLicense.Consequences> {
        var consequences: AppLicense.Consequences
        switch perform(act, by: actor, at: now) {
        case .refused(let refusal): return .refused(refusal)
        case .granted(let own): consequences = own
        }
        // Licenses that the device received after this one was revoked or returned are based on a later grant or
        // request.
        guard !recordedState.isFinal else { return .granted(consequences) }
        for other in others where other.id != id && other.isOfSameDeviceAndApp(as: self) {
            if act == .reinstate, other.recordedState != .suspended || other.stoppedAt != stoppedAt { continue }
            guard case .granted(let more) = other.perform(act, by: actor, at: now) else { continue }
            consequences.licenses += more.licenses
            consequences.events += more.events
        }
        return .granted(consequences)
    }

    /// Whether both licenses are of the same app, device and account.
    func isOfSameDeviceAndApp(as other: AppLicense) -> Bool {
        deviceAppKey == other.deviceAppKey
    }

    private func perform(_ act: AppLicense.Act, by actor: Actor, at now: Timestamp) -> Decision<AppLicense.Consequences>
    {
        switch act {
        case .suspend: move(to: .suspended, .appLicenseSuspended, by: actor, at: now)
        case .revoke: move(to: .revoked, .appLicenseRevoked, by: actor, at: now)
        case .giveBack: move(to: .returned, .appLicenseReturned, by: actor, at: now)
        case .reinstate: move(to: .active, onlyOutOf: .suspended, .appLicenseReinstated, by: actor, at: now)
        }
    }

    private func move(
        to state: LifecycleState, onlyOutOf one: LifecycleState? = nil, _ kind: EventKind, by actor: Actor,
        at now: Timestamp
    ) -> Decision<AppLicense.Consequences> {
        switch Self.chart.step(from: recordedState, to: state, onlyOutOf: one) {
        case .stays: return .granted(.none)
        case .refused(let refusal): return .refused(refusal)
        case .moves: break
        }
        var license = self
        license.recordedState = state
        license.stoppedAt = state == .active ? nil : now
        if state == .returned, actor.kind == .account, isDeviceActive(at: now) {
            license.countsUntil = max(term.end ?? now, now.adding(days: DeviceAllowance.countedDays))
        }
        let detail: [Reason.Evidence] = [.init("previousState", .text(self.state(at: now).rawValue))]
        return .granted(AppLicense.Consequences(licenses: [license], events: [event(kind, by: actor, at: now, detail)]))
    }

    /// The rules for state changes of an app license, with the reasons for refusals.
    static let chart = StateChart<LifecycleState>(
        .final(.revoked, .appLicenseRevoked), .final(.returned, .appLicenseReturned),
        .reversible(.suspended, .appLicenseSuspended))
}
