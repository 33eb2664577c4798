public import TenureCore

extension License {
    /// Creates a license in the state `issued`, together with its event.
    public static func issue(
        id: LicenseID, product: ProductRef, key: LicenseKey, derivation: LicenseKey.Derivation? = nil,
        terms: LicenseTerms, isTest: Bool = false, by actor: Actor, at now: Timestamp
    ) -> Consequences {
        let license = License(
            id: id, product: product, key: key, terms: terms, recordedState: .issued, issuedAt: now,
            firstActivatedAt: nil, keyRoot: derivation?.root, keyGeneration: derivation?.generation ?? 0,
            isTest: isTest)
        return license.recording(
            .licenseIssued, license, by: actor, at: now,
            [.init("policy", .text(terms.policy.text)), .init("key", .text(key.masked))])
    }

    /// Combines the changed license with the event that records the change.
    func recording(
        _ kind: EventKind, _ license: License, by actor: Actor, at now: Timestamp, _ detail: [Reason.Evidence]
    ) -> Consequences {
        Consequences(license: license, events: [Event(kind, at: now, actor: actor, about: subject, facts: detail)])
    }

    /// Suspends the license; refused if it has been revoked or returned.
    ///
    /// Suspending a suspended license changes nothing, except that a new reason replaces the current one.
    ///
    /// - Parameter events: The license's newest events, newest first; needed with a reason.
    public func suspend(
        because reason: StatedReason? = nil, after events: [Event] = [], by actor: Actor, at now: Timestamp
    ) -> Decision<Consequences> {
        move(to: .suspended, recordedAs: .licenseSuspended, because: reason, after: events, by: actor, at: now)
    }

    /// Revokes the license for good; refused if it has been returned.
    ///
    /// Revoking a revoked license changes nothing, except that a new reason replaces the current one.
    ///
    /// - Parameter events: The license's newest events, newest first; needed with a reason.
    public func revoke(
        because reason: StatedReason? = nil, after events: [Event] = [], by actor: Actor, at now: Timestamp
    ) -> Decision<Consequences> {
        move(to: .revoked, recordedAs: .licenseRevoked, because: reason, after: events, by: actor, at: now)
    }

    /// Returns the license for good on the holder's behalf; refused if it has been revoked.
    ///
    /// Returning a returned license changes nothing.
    public func giveBack(by actor: Actor, at now: Timestamp) -> Decision<Consequences> {
        move(to: .returned, recordedAs: .licenseReturned, by: actor, at: now)
    }

    /// Ends a suspension; refused if the license has been revoked or returned.
    ///
    /// Afterwards the license's state depends on its term and activations again. A license that isn't suspended stays
    /// as it is.
    public func reinstate(by actor: Actor, at now: Timestamp) -> Decision<Consequences> {
        move(to: openState, onlyOutOf: .suspended, recordedAs: .licenseReinstated, by: actor, at: now)
    }

    private func move(
        to state: License.State, onlyOutOf one: License.State? = nil, recordedAs kind: EventKind,
        because reason: StatedReason? = nil, after events: [Event] = [], by actor: Actor, at now: Timestamp
    ) -> Decision<Consequences> {
        switch Self.chart.step(from: recordedState, to: state, onlyOutOf: one) {
        case .stays: return .granted(reason?.replacing(kind, events, about: subject, by: actor, at: now) ?? .none)
        case .refused(let refusal): return .refused(refusal)
        case .moves: break
        }
        var license = self
        license.recordedState = state
        return .granted(
            recording(
                kind, license, by: actor, at: now,
                [.init("previousState", .text(self.state(at: now).rawValue))] + (reason?.facts ?? [])))
    }

    /// Records that the term has ended.
    ///
    /// A license expires without this, see ``state(at:)``; recording it creates an event that others can be notified
    /// of. Refused while the term is running, and if the license has been suspended, revoked or returned.
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
    /// The subject of events about this license.
    public var subject: Event.Subject { Event.Subject(product, license: id) }

    /// The subject of events about one of the license's activations.
    func subject(_ activation: Activation) -> Event.Subject {
        Event.Subject(product, license: id, activation: activation.id)
    }

    /// Returns this license from an old copy of the store with the withdrawals of a later state of the store.
    ///
    /// Withdrawals are a suspension, a revocation, a return, a new key, the start of the term and an earlier end. Each
    /// is named in `acts`. The result is `nil` if there is nothing to apply.
    package func takingBack(_ later: License, since changes: RecordChanges = .ofOldCopy) -> (License, acts: [String])? {
        var (license, acts) = (self, [String]())
        if changes.stopLicense, later.recordedState.takesBack(recordedState) {
            license.recordedState = later.recordedState
            acts.append(later.recordedState.rawValue)
        }
        if later.key != key, changes.replaceKey {
            let generation = license.keyGeneration
            KeyReplacement.set(later.key, later.keyDerivation, of: &license)
            KeyReplacement.raiseGeneration(to: generation, of: &license)
            acts.append("given another key")
        }
        if terms.unstarted != nil, later.terms.unstarted == nil, let start = later.firstActivatedAt {
            license.terms = terms.starting(at: start)
            acts.append("started")
        }
        if changes.shortenTerm, later.terms.unstarted == nil, let shorter = license.term.takingBack(later.term) {
            license.terms.term = shorter
            license.terms.unstarted = nil
            acts.append("shortened")
        }
        return acts.isEmpty ? nil : (license, acts)
    }

    /// The kinds of events that explain what ``takingBack(_:since:)`` applies, and why the license is stopped.
    package func explanations(of later: License, since changes: RecordChanges = .ofOldCopy) -> Set<EventKind> {
        let state = later.recordedState
        var kinds: Set<EventKind> = []
        if !state.isOpen, state == recordedState || state.takesBack(recordedState) {
            kinds = [.licenseSuspended, .licenseReinstated, .licenseRevoked, .licenseReturned, .licenseReasonChanged]
        }
        if later.key != key, changes.replaceKey { kinds.formUnion(RecordChanges.keyKinds) }
        if terms.unstarted != nil, later.terms.unstarted == nil { kinds.insert(.licenseStarted) }
        let isShorter = later.terms.unstarted == nil && term.takingBack(later.term) != nil
        if isShorter, changes.shortenTerm { kinds.insert(.licenseChanged) }
        return kinds
    }
}

extension RecordChanges {
    fileprivate static let keyKinds: Set<EventKind> = [.licenseRekeyed, .licenseTransferred]

    /// Whether the later state of the license recorded a stop. That stop then applies, whatever the store in use has
    /// recorded since.
    fileprivate var stopLicense: Bool { include([.licenseSuspended, .licenseRevoked, .licenseReturned]) }
    fileprivate var replaceKey: Bool { decide(Self.keyKinds) }
    fileprivate var shortenTerm: Bool {
        include([.licenseChanged]) && decide([.licenseChanged, .licenseRenewed])
    }
}
