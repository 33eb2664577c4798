import TenureCore

extension Enrolment {
    /// What a later state of this enrolment gives beyond it, such as a later end; empty if it gives nothing more.
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
