public import TenureCore

/// When the terms of a policy's licenses start.
public enum TermStart: String, Sendable, Hashable, CaseIterable {
    /// The term starts when the license is issued.
    case issue
    /// The term starts when the license is activated for the first time.
    case activation
}

extension LicenseTerms {
    /// The time at which an unstarted term starts without an activation; `nil` if it waits without a limit.
    ///
    /// Only meaningful while ``unstarted`` is set. ``term`` is then the latest possible term, so it starts at this
    /// time.
    var startBy: Timestamp? { term.end == nil ? nil : term.start }

    /// Creates the terms of a license whose term starts at its first activation.
    ///
    /// - Parameters:
    ///   - limit: How long after now the term starts at the latest; `nil` for no limit.
    init(policy: PolicyID, unstarted length: TermLength, within limit: TermLength?, from now: Timestamp) {
        let latest = limit.map { Term(start: now.adding($0).bounded(from: now), lasting: length) }
        self.init(policy: policy, term: latest ?? .perpetual(from: now), unstarted: length)
    }

    /// Returns the terms after an activation at this time; they stay the same if the term has started.
    func starting(at now: Timestamp) -> LicenseTerms {
        guard let length = unstarted else { return self }
        var terms = self
        terms.term = Term(start: startBy.map { min($0, now) } ?? now, lasting: length)
        terms.unstarted = nil
        return terms
    }

    /// Returns the terms with the term marked as started if the latest possible start has passed.
    func settled(at now: Timestamp) -> LicenseTerms {
        guard unstarted != nil, let startBy, startBy <= now else { return self }
        return starting(at: now)
    }
}

extension License {
    /// The end of a license's term, as shown to people and programs.
    public enum TermEnding: Sendable, Hashable {
        /// The term hasn't started. It starts at the first activation, or at `startBy` if that comes first.
        case unstarted(length: TermLength, startBy: Timestamp?)
        /// The term never ends.
        case never
        /// The term ends or has ended at this time.
        case at(Timestamp)
    }

    /// The end of the term as it is at this time.
    ///
    /// Show this, and not `term.end`, which is also `nil` for a term that hasn't started.
    public func ending(at now: Timestamp) -> TermEnding {
        let terms = terms.settled(at: now)
        if let length = terms.unstarted { return .unstarted(length: length, startBy: terms.startBy) }
        return terms.term.end.map { .at($0) } ?? .never
    }

    /// When the term started; `nil` if it hasn't at this time.
    public func startedAt(_ now: Timestamp) -> Timestamp? {
        let terms = terms.settled(at: now)
        return terms.unstarted == nil ? terms.term.start : nil
    }

    /// Returns the license after a first activation at this time; a started term doesn't change.
    func starting(at now: Timestamp) -> License {
        guard terms.unstarted != nil else { return self }
        var license = self
        license.terms = terms.starting(at: now)
        return license
    }

    /// Returns the license with its term marked as started if the latest possible start has passed.
    package func settled(at now: Timestamp) -> License {
        guard terms.unstarted != nil else { return self }
        var license = self
        license.terms = terms.settled(at: now)
        return license
    }
}
