package import TenureCore

extension Enrolment {
    /// Returns this enrolment, restored from a backup, with a later copy's restrictions; `nil` if nothing
    /// changes.
    ///
    /// It carries over a pause, the end of the enrolment and an earlier end date.
    package func takingBack(_ later: Enrolment) -> (Enrolment, acts: [String])? {
        var (enrolment, acts) = (self, [String]())
        if state != .ended, later.state == .ended || state == .open && later.state == .paused {
            enrolment.state = later.state
            enrolment.endedAt = later.endedAt
            acts.append(later.state.rawValue)
        }
        if let end = later.endsAt, endsAt.map({ end < $0 }) ?? true {
            enrolment.terms.endsAt = end
            acts.append("shortened")
        }
        return acts.isEmpty ? nil : (enrolment, acts)
    }

    /// The kinds of events since the backup that explain what ``takingBack(_:)`` carries over.
    package func explanations(of later: Enrolment) -> Set<EventKind> {
        var kinds: Set<EventKind> = []
        if state != .ended, later.state == .ended || state == .open && later.state == .paused {
            kinds = [.enrolmentPaused, .enrolmentResumed, .enrolmentEnded]
        }
        if let end = later.endsAt, endsAt.map({ end < $0 }) ?? true { kinds.insert(.enrolmentChanged) }
        return kinds
    }
}

extension Enrolment.Place {
    /// Returns this place, restored from a backup, with a later copy's state; `nil` unless that copy is no longer
    /// taken.
    package func takingBack(_ later: Enrolment.Place) -> (Enrolment.Place, acts: [String])? {
        guard state == .taken, later.state != .taken else { return nil }
        var place = self
        place.state = later.state
        return (place, ["given back"])
    }
}
