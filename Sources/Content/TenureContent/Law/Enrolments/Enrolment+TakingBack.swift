package import TenureCore

extension Enrolment {
    /// Returns this enrolment, restored from a backup, with a later copy's restrictions; `nil` if nothing changes.
    ///
    /// The restrictions are a pause, the end of the enrolment and an earlier end date.
    package func takingBack(
        _ later: Enrolment, since changes: RecordChanges = .ofOldCopy
    ) -> (Enrolment, acts: [String])? {
        var (enrolment, acts) = (self, [String]())
        if isStopped(by: later, since: changes) {
            enrolment.state = later.state
            enrolment.endedAt = later.endedAt
            acts.append(later.state.rawValue)
        }
        if let end = earlierEnd(of: later, since: changes) {
            enrolment.terms.endsAt = end
            acts.append("shortened")
        }
        return acts.isEmpty ? nil : (enrolment, acts)
    }

    /// The kinds of events since the backup that explain what ``takingBack(_:since:)`` carries over.
    package func explanations(of later: Enrolment, since changes: RecordChanges = .ofOldCopy) -> Set<EventKind> {
        var kinds: Set<EventKind> = []
        if isStopped(by: later, since: changes) {
            kinds = [.enrolmentPaused, .enrolmentResumed, .enrolmentEnded]
        }
        if earlierEnd(of: later, since: changes) != nil { kinds.insert(.enrolmentChanged) }
        return kinds
    }

    private func isStopped(by later: Enrolment, since changes: RecordChanges) -> Bool {
        changes.include([.enrolmentPaused, .enrolmentEnded]) && state != .ended
            && (later.state == .ended || state == .open && later.state == .paused)
    }

    private func earlierEnd(of later: Enrolment, since changes: RecordChanges) -> Timestamp? {
        guard changes.include([.enrolmentChanged]), changes.decide([.enrolmentChanged, .enrolmentExtended]),
            let end = later.endsAt, endsAt.map({ end < $0 }) ?? true
        else { return nil }
        return end
    }
}

extension Enrolment.Device {
    /// Returns this device, restored from a backup, with a later copy's state; `nil` unless this device is active and
    /// that copy isn't.
    package func takingBack(_ later: Enrolment.Device) -> (Enrolment.Device, acts: [String])? {
        guard state == .active, later.state != .active else { return nil }
        var device = self
        device.state = later.state
        return (device, ["given back"])
    }
}

extension Enrolment {
    /// The ways in which a later state of this enrolment has other terms or permits more, such as a later end; empty if
    /// there aren't any.
    ///
    /// Its counterpart is ``takingBack(_:since:)``.
    package func giving(_ later: Enrolment) -> [String] {
        var acts: [String] = []
        if state != .open, later.state == .open { acts.append("resumed") }
        if later.policy != policy {
            acts.append("policy \(later.policy?.text ?? "none") instead of \(policy?.text ?? "none")")
        }
        if later.startsAt != startsAt {
            acts.append(
                "starts \(later.startsAt?.description ?? "at once") instead of \(startsAt?.description ?? "at once")")
        }
        if let end = endsAt, later.endsAt.map({ $0 > end }) ?? true {
            acts.append("ends \(later.endsAt?.description ?? "never") instead of \(end)")
        }
        return acts
    }
}
