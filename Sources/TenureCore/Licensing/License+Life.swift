extension License {
    /// Makes a license, in the state of a grant that nobody has used yet, and the event that records it.
    public static func issue(
        id: LicenseID, product: ProductRef, key: LicenseKey, policy: PolicyID, holder: String?, term: Term,
        by actor: Actor, at now: Timestamp
    ) -> Consequences {
        let license = License(
            id: id, product: product, key: key, policy: policy, holder: holder, term: term, recordedState: .issued,
            issuedAt: now, firstActivatedAt: nil)
        return license.recording(
            .licenseIssued, license, by: actor, at: now,
            [
                .init("policy", .text(policy.text)), .init("key", .text(key.masked)),
            ])
    }

    /// The consequences of one change of this license, with its event.
    func recording(
        _ kind: EventKind, _ license: License, by actor: Actor, at now: Timestamp, _ detail: [Reason.Evidence]
    ) -> Consequences {
        Consequences(
            license: license,
            events: [Event(kind, at: now, actor: actor, about: subject, facts: detail)])
    }

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
        move(to: openState, onlyOutOf: .suspended, recordedAs: .licenseReinstated, by: actor, at: now)
    }

    private func move(
        to state: License.State, onlyOutOf one: License.State? = nil, recordedAs kind: EventKind, by actor: Actor,
        at now: Timestamp
    ) -> Decision<Consequences> {
        switch Self.chart.step(from: recordedState, to: state, onlyOutOf: one) {
        case .stays: return .granted(.none)
        case .refused(let refusal): return .refused(refusal)
        case .moves: break
        }
        var license = self
        license.recordedState = state
        return .granted(
            recording(kind, license, by: actor, at: now, [.init("previousState", .text(self.state(at: now).rawValue))]))
    }

    /// Decides whether the end of the term is to be written down.
    ///
    /// Time alone expires a license, see ``state(at:)``; this act records it, so that there is an event to tell others.
    /// Refused while the term runs, and for a license that an operator or its holder stopped.
    public func expire(at now: Timestamp) -> Decision<Consequences> {
        if let reason = Self.chart.stop(in: recordedState) { return .refused(Refusal(reason)) }
        guard let end = term.end, now >= end else { return .refused(Refusal(.termNotOver(end: term.end))) }
        guard recordedState != .expired else { return .granted(.none) }
        var license = self
        license.recordedState = .expired
        return .granted(recording(.licenseExpired, license, by: .time, at: now, [.init("expiredAt", .date(end))]))
    }
}

extension License {
    /// What an event about this license concerns.
    public var subject: Event.Subject { Event.Subject(product, license: id) }

    /// What an event about one of its activations concerns.
    func subject(_ activation: Activation) -> Event.Subject {
        Event.Subject(product, license: id, activation: activation.id)
    }
}

extension License {
    /// This license, of a copy of the store, as a later state leaves it: stopped, under another key, shortened; with what
    /// was taken back, each in a word. Nil when nothing was.
    package func takingBack(_ later: License) -> (License, acts: [String])? {
        var (license, acts) = (self, [String]())
        if later.recordedState.takesBack(recordedState) {
            license.recordedState = later.recordedState
            acts.append(later.recordedState.rawValue)
        }
        if later.key != key {
            license.key = later.key
            acts.append("given another key")
        }
        if let shorter = term.takingBack(later.term) {
            license.term = shorter
            acts.append("shortened")
        }
        return acts.isEmpty ? nil : (license, acts)
    }
}

extension License.State {
    /// Whether this later state stops what the earlier one lets go on.
    func takesBack(_ earlier: License.State) -> Bool {
        isFinal ? !earlier.isFinal : !isOpen && earlier.isOpen
    }
}
