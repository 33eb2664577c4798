package import TenureCore
package import TenureVault

/// Everything that a state is decided from; time is the other argument.
package struct Situation: Sendable, Hashable {
    /// Whether the device's clock can be believed.
    package var clock: ClockVerdict
    /// The stored license; nil when there is none.
    package var license: StoredLicense?
    /// The trial of this device.
    package var trial: KeptTrial
    /// What the vendor allows people without a license; nil when that was never fetched.
    package var terms: ProductTerms?
    /// The record that was here before could not be used; nil when there was none, or it no longer matters.
    package var loss: RecordLoss?
    /// Why the last request brought nothing; nil when it brought something.
    package var unreached: Unreached?
    /// Why the record could not be written last; nil when it could.
    package var unwritten: VaultError?

    /// Puts a situation together; without arguments, that of a first launch.
    package init(
        clock: ClockVerdict = .believed, license: StoredLicense? = nil, trial: KeptTrial = .notStarted,
        terms: ProductTerms? = nil, loss: RecordLoss? = nil, unreached: Unreached? = nil, unwritten: VaultError? = nil
    ) {
        self.clock = clock
        self.license = license
        self.trial = trial
        self.terms = terms
        self.loss = loss
        self.unreached = unreached
        self.unwritten = unwritten
    }
}

/// The last word on a stored license.
package enum StoredLicense: Sendable, Hashable {
    /// A lease that verifies; it may have lapsed since.
    case lease(LeaseFacts)
    /// A verified no that came after every lease.
    case refused(VerifiedNo)
    /// A lease is kept, and it does not verify.
    case unverifiable(LeaseProblem)
    /// A license is kept without any word on it.
    case unconfirmed
    /// The record is there and cannot be read, so nobody knows.
    case unreadable(VaultError)
}

/// What a state comes to.
package struct Resolution: Sendable, Hashable {
    /// The state.
    package let state: LicenseState
    /// Why.
    package let explanation: Explanation
}

extension Situation {
    /// Decides the state: the most specific situation wins, and `.expired` is never swallowed.
    ///
    /// - Parameter now: Trusted time, see `Documentation/time.md`.
    package func resolve(at now: Timestamp) -> Resolution {
        let (state, reasons) = license.map { standing(of: $0, at: now) } ?? standingWithoutLicense(at: now)
        var all = reasons
        if let loss { all.append(.recordLost(loss)) }
        if let unreached { all.append(.serverUnreached(unreached)) }
        if let unwritten { all.append(.recordUnwritable(unwritten)) }
        guard case .setBack(let evidence) = clock else {
            return Resolution(state: state, explanation: Explanation(all[0], Array(all.dropFirst())))
        }
        return Resolution(state: .invalid, explanation: Explanation(.clockSetBack(evidence), all))
    }

    private func standing(of license: StoredLicense, at now: Timestamp) -> (LicenseState, [Reason]) {
        switch license {
        case .lease(let lease): standing(under: lease, at: now)
        case .refused(let no): standing(after: no, at: now)
        case .unverifiable(let problem): (.invalid, [.leaseUnverifiable(problem)])
        case .unconfirmed: (.expired, [.leaseMissing])
        case .unreadable(let error): (.invalid, [.recordUnreadable(error)])
        }
    }

    private func standing(under lease: LeaseFacts, at now: Timestamp) -> (LicenseState, [Reason]) {
        switch lease.status {
        case .active: lease.holds(at: now) ? (.licensed, [.leaseHolds(lease)]) : (.expired, [.leaseLapsed(lease)])
        // Without "fresh": a lapsed holder keeps the reduced mode, online or not, until a server says otherwise.
        case .fallback: (.limited, [.licenseInFallback(lease)])
        case .expired: (.expired, [.licenseExpired(lease)])
        }
    }

    private func standing(after no: VerifiedNo, at now: Timestamp) -> (LicenseState, [Reason]) {
        let told = no.reasons.map(Reason.init)
        if let lease = no.lease?.facts, lease.status != .active {
            let (state, own) = standing(under: lease, at: now)
            return (state, told.isEmpty ? own : told)
        }
        guard let first = told.first else { return (.invalid, [.refusedWithoutReason]) }
        return (first.code == .licenseExpired ? .expired : .invalid, told)
    }

    private func standingWithoutLicense(at now: Timestamp) -> (LicenseState, [Reason]) {
        let daysLeft = trial.daysLeft(under: terms, at: now)
        if daysLeft > 0, let end = trial.end(under: terms) {
            return (
                .trial(daysLeft: daysLeft),
                [.trialRunning(daysLeft: daysLeft, end: end, next: trial.nextDay(under: terms, at: now))]
            )
        }
        let over = trialOver
        guard let terms else {
            let unknown = Reason.productTermsUnknown
            return (.expired, trial == .notStarted ? [unknown, over] : [over, unknown])
        }
        return terms.freeTier ? (.freeTier, [.freeTier, over]) : (.expired, [over, .noFreeTier])
    }

    private var trialOver: Reason {
        if let end = trial.end(under: terms) { return .trialEnded(end: end) }
        let offered = terms?.trialDays.map { $0 > 0 } ?? true
        return trial == .notStarted && offered ? .trialNotStarted : .trialNotOffered
    }
}

extension LeaseFacts {
    /// How much later than its end a lease still holds, in seconds: clocks differ.
    package static let skewAllowance: Int64 = 300

    /// The last moment the lease holds, skew allowance included.
    package var lastMoment: Timestamp { expiresAt.timestamp.adding(seconds: Self.skewAllowance) }

    /// Whether the lease has not lapsed.
    package func holds(at now: Timestamp) -> Bool { now <= lastMoment }
}
