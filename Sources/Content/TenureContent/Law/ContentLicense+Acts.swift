public import TenureCore

extension ContentLicense {
    /// An act by which an operator changes a content license's state.
    public enum Act: String, Sendable, Hashable, CaseIterable {
        /// Revokes the license for good; only another enrolment can give a new one.
        case revoke
        /// Ends the license until it is reset.
        case expire
        /// Deletes the content from the device, until the license is reset.
        case delete
        /// Makes the license active again and its next renewal due.
        case reset
    }

    /// Decides on an operator's act; a revoked or returned license refuses every other act.
    ///
    /// An act whose target state is already the current one changes nothing. Expiring a deleted license leaves it
    /// deleted.
    public func perform(
        _ act: ContentLicense.Act, why reason: String? = nil, by actor: Actor, at now: Timestamp
    ) -> Decision<ContentLicense.Consequences> {
        switch act {
        case .revoke: move(to: .revoked, .contentRevoked, why: reason, by: actor, at: now)
        case .delete: move(to: .deleted, .contentDeleted, why: reason, by: actor, at: now)
        case .expire: move(to: .expired, onlyOutOf: .active, .contentExpired, why: reason, by: actor, at: now)
        case .reset:
            if let refusal = Self.chart.end(in: state) {
                .refused(refusal)
            } else {
                .granted(isReset ? .none : reset(why: reason, by: actor, at: now))
            }
        }
    }

    private func reset(why reason: String?, by actor: Actor, at now: Timestamp) -> ContentLicense.Consequences {
        var license = self
        license.state = .active
        license.stoppedAt = nil
        license.isReset = true
        return changed(license, .contentReset, by: actor, at: now, why: reason)
    }

    private func move(
        to state: State, onlyOutOf one: State? = nil, _ kind: EventKind, why reason: String?, by actor: Actor,
        at now: Timestamp
    ) -> Decision<ContentLicense.Consequences> {
        switch Self.chart.step(from: self.state, to: state, onlyOutOf: one) {
        case .stays: return .granted(.none)
        case .refused(let refusal): return .refused(refusal)
        case .moves: break
        }
        var license = self
        license.state = state
        license.stoppedAt = now
        license.isReset = false
        return .granted(changed(license, kind, by: actor, at: now, why: reason))
    }

    private func changed(
        _ license: ContentLicense, _ kind: EventKind, by actor: Actor, at now: Timestamp, why reason: String?
    ) -> ContentLicense.Consequences {
        let why: [Reason.Evidence] = reason.map { [.init("reason", .text($0))] } ?? []
        return ContentLicense.Consequences(
            licenses: [license],
            events: [event(kind, by: actor, at: now, [.init("previousState", .text(state.rawValue))] + why)])
    }

    /// The states in which a license is stopped, for good or until a reset, with the reason for a refusal in each.
    static let chart = StateChart<State>(
        .final(.revoked, .contentStopped(.revoked)), .final(.returned, .contentStopped(.returned)),
        .reversible(.deleted, .contentStopped(.deleted)), .reversible(.expired, .contentStopped(.expired)))

    /// Returns the license for good; refused if it has been revoked.
    ///
    /// Returning a returned license changes nothing. The device counts towards the enrolment's device limit until it
    /// can no longer play. A device with another license of the enrolment stays active.
    ///
    /// - Parameters:
    ///   - others: The other licenses of the enrolment on the device.
    ///   - device: The enrolment's record of the device; `nil` if the device was never active in the enrolment.
    public func giveBack(
        others: [ContentLicense], device: Enrolment.Device?, by actor: Actor, at now: Timestamp
    ) -> Decision<ContentLicense.Consequences> {
        switch Self.chart.step(from: state, to: .returned) {
        case .stays: return .granted(.none)
        case .refused(let refusal): return .refused(refusal)
        case .moves: break
        }
        var consequences = returned(isReleased: false, by: actor, at: now)
        let same = others.filter { $0.id != id && $0.enrolment == enrolment && $0.present.device == present.device }
        if let device, same.allSatisfy({ $0.state == .returned }) {
            let reach = same.reduce(reach) { $0.orLonger($1.reach) }
            consequences.devices = device.state == .active ? [device.returned(reach)] : []
        }
        return .granted(consequences)
    }

    fileprivate func returned(isReleased: Bool, by actor: Actor, at now: Timestamp) -> ContentLicense.Consequences {
        var license = self
        license.state = .returned
        license.stoppedAt = now
        license.isReleased = isReleased
        license.isReset = false
        return ContentLicense.Consequences(
            licenses: [license],
            events: [event(.contentReturned, by: actor, at: now, [.init("releasedBy", .text(actor.description))])])
    }
}

extension [ContentLicense] {
    /// Releases the device that these licenses of a holder are on. All of them are returned, except those already
    /// revoked.
    ///
    /// If the operator releases the device, it no longer counts towards the device limits of its enrolments. Otherwise,
    /// it counts towards them until it can no longer play.
    ///
    /// - Parameters:
    ///   - rules: The limits for releases by the holder, from the policies of the licenses; ignored for an operator.
    ///   - releases: When the holder released devices before.
    public func release(
        devices: [Enrolment.Device], rules: [SelfRelease?], releases: [Timestamp], by actor: Actor, at now: Timestamp
    ) -> Decision<ContentLicense.Consequences> {
        let isFreed = actor.kind == .operator
        let open = filter { $0.state != .returned && $0.state != .revoked }
        if !isFreed, !open.isEmpty, let reason = SelfRelease.obstacle(rules, after: releases, at: now) {
            return .refused(Refusal(reason))
        }
        var consequences = ContentLicense.Consequences.none
        for license in open {
            let change = license.returned(isReleased: true, by: actor, at: now)
            consequences.licenses += change.licenses
            consequences.events += change.events
        }
        consequences.devices = devices.compactMap { device in
            let reach = filter { $0.enrolment == device.enrolment }
                .reduce(ContentGrant.PlayableReach.nothing) { $0.orLonger($1.reach) }
            let later = isFreed ? device.deactivated() : device.returned(reach)
            return later == device ? nil : later
        }
        return .granted(consequences)
    }
}

extension SelfRelease {
    /// Why a holder can't release a device now; `nil` if releasing is allowed.
    ///
    /// The strictest of the rules applies.
    static func obstacle(_ rules: [SelfRelease?], after releases: [Timestamp], at now: Timestamp) -> Reason? {
        var latest: Reason?
        for rule in rules {
            guard let rule else { return .selfReleaseOff }
            let remaining = rule.remaining(after: releases, at: now)
            guard let next = remaining.nextAt, next > latest?.changesAt ?? now else { continue }
            latest = remaining.left > 0 ? .selfReleaseCooldown(next) : .selfReleaseUsedUp(rule, until: next)
        }
        return latest
    }
}

extension ContentLicense {
    /// The limits of the current version that have been reached, as reasons; empty if no limit has been.
    ///
    /// Only use that the device has reported is considered.
    public func limitsReached(at now: Timestamp) -> [Reason] {
        var reasons: [Reason] = []
        let terms = present.terms
        if let start = terms.notBefore, now < start { reasons.append(.grantNotStarted(start)) }
        if let end = terms.expiresAt, now >= end { reasons.append(.grantExpired(end)) }
        if let window = terms.windowAfterFirstPlay, let end = firstPlayAt?.adding(seconds: window), now >= end {
            reasons.append(.playWindowOver(end, under: terms.ledger))
        }
        if let plays = terms.plays, used.plays >= plays { reasons.append(.playsUsedUp(used.plays, of: plays)) }
        if let seconds = terms.playSeconds, used.playSeconds >= seconds {
            reasons.append(.playTimeUsedUp(used.playSeconds, of: seconds))
        }
        if let end = terms.checkInBy, now >= end { reasons.append(.checkInOverdue(end)) }
        if let reported = playerExpiredAt { reasons.append(.playerExpired(reported)) }
        return reasons
    }
}
