// What a state of a record takes back that an earlier one still gives. Who puts an old copy of a store in the store's
// place carries that over, and nothing else: what was given since is lost, and can be given again; what was taken back
// would be given again without anybody having said so. Each function answers the earlier state with what was taken back,
// and what that was in a word, or nil when nothing was.

extension Term {
    /// This term with a later one's end, if that is earlier.
    func takingBack(_ later: Term) -> Term? {
        guard let end = later.end, self.end.map({ end < $0 }) ?? true else { return nil }
        return Term(start: start, end: end) ?? later
    }
}

extension Activation {
    /// The copy's activation as a later state leaves it: released.
    package func takingBack(_ later: Activation) -> (Activation, acts: [String])? {
        guard isLive, !later.isLive else { return nil }
        var activation = self
        activation.releasedAt = later.releasedAt
        activation.releasedBy = later.releasedBy
        activation.countsUntil = later.countsUntil
        return (activation, ["released"])
    }
}

extension AppGrant {
    /// The copy's right as a later state leaves it: ended, shortened.
    package func takingBack(_ later: AppGrant) -> (AppGrant, acts: [String])? {
        var (grant, acts) = (self, [String]())
        if endedAt == nil, let endedAt = later.endedAt {
            grant.endedAt = endedAt
            acts.append("ended")
        }
        if let shorter = term.takingBack(later.term) {
            grant.term = shorter
            acts.append("shortened")
        }
        return acts.isEmpty ? nil : (grant, acts)
    }
}

extension AppLicense {
    /// The copy's license as a later state leaves it: stopped.
    package func takingBack(_ later: AppLicense) -> (AppLicense, acts: [String])? {
        guard later.recordedState.takesBack(recordedState) else { return nil }
        var license = self
        license.recordedState = later.recordedState
        license.stoppedAt = later.stoppedAt
        license.countsUntil = later.countsUntil
        return (license, [later.recordedState.rawValue])
    }
}

extension Enrolment {
    /// The copy's enrolment as a later state leaves it: paused, ended, with an earlier end.
    package func takingBack(_ later: Enrolment) -> (Enrolment, acts: [String])? {
        var (enrolment, acts) = (self, [String]())
        if state != .ended, later.state == .ended || state == .open && later.state == .paused {
            enrolment.state = later.state
            enrolment.endedAt = later.endedAt
            acts.append(later.state.rawValue)
        }
        if let end = later.endsAt, endsAt.map({ end < $0 }) ?? true {
            enrolment.endsAt = end
            acts.append("shortened")
        }
        return acts.isEmpty ? nil : (enrolment, acts)
    }
}

extension ContentLicense {
    /// The copy's license as a later state leaves it: stopped, or stopped for good.
    package func takingBack(_ later: ContentLicense) -> (ContentLicense, acts: [String])? {
        let isFinal = state == .revoked || state == .returned
        let isLaterFinal = later.state == .revoked || later.state == .returned
        guard !isFinal, isLaterFinal || state == .active && later.state != .active else { return nil }
        var license = self
        license.state = later.state
        license.stoppedAt = later.stoppedAt
        license.isReleased = later.isReleased
        return (license, [later.state.rawValue])
    }
}

extension EnrolmentPlace {
    /// The copy's place as a later state leaves it: given back, or freed.
    package func takingBack(_ later: EnrolmentPlace) -> (EnrolmentPlace, acts: [String])? {
        guard state == .taken, later.state != .taken else { return nil }
        var place = self
        place.state = later.state
        return (place, ["given back"])
    }
}
