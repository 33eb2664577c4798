// When an old copy of a store is restored, only the withdrawals made since then are carried over.
//
// Rights granted since then are lost, but they can be granted again. Without the carry-over, a revoked or released
// right would silently be valid again. Each function returns the copy's record with the later record's withdrawals
// applied, and a short word for each one. It returns `nil` if there is nothing to carry over.

extension Term {
    /// Returns this term with the later term's end, if that end is earlier.
    func takingBack(_ later: Term) -> Term? {
        guard let end = later.end, self.end.map({ end < $0 }) ?? true else { return nil }
        return Term(start: start, end: end) ?? later
    }
}

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

extension AppGrant {
    /// Carries over the end of the grant and an earlier end of its term.
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
    /// Carries over a suspension, a revocation or a return.
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
    /// Carries over a pause, the end of the enrolment and an earlier end date.
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
    /// Carries over a suspension, a revocation or a return.
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
    /// Carries over the release of a device.
    package func takingBack(_ later: EnrolmentPlace) -> (EnrolmentPlace, acts: [String])? {
        guard state == .taken, later.state != .taken else { return nil }
        var place = self
        place.state = later.state
        return (place, ["given back"])
    }
}
