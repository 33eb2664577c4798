package import TenureCore
import TenureLicensing
package import TenureVault

/// Everything that the license's state depends on, except the time.
package struct Situation: Sendable, Hashable {
    package var clock: ClockVerdict
    /// The stored license; `nil` if there isn't one.
    package var license: StoredLicense?
    /// This device's trial, which may not have been started.
    package var trial: KeptTrial
    /// The terms for users without a license; `nil` if they were never fetched.
    package var terms: ProductTerms?
    /// Whether the app can start a trial without a server.
    package var startsTrialOffline: Bool
    /// Why the previous record couldn't be used; `nil` if it could, or if a license was activated or a trial started
    /// since.
    package var loss: RecordLoss?
    /// Why the last request failed; `nil` if it succeeded.
    package var unreached: RequestFailure?
    /// When the last request was sent, by the device's clock; `nil` if none was.
    package var triedAt: Timestamp?
    /// Why the record couldn't be written; `nil` if the last write succeeded.
    package var unwritten: VaultError?

    /// Creates a situation; without arguments, it is that of a first launch.
    package init(
        clock: ClockVerdict = .believed, license: StoredLicense? = nil, trial: KeptTrial = .notStarted,
        terms: ProductTerms? = nil, startsTrialOffline: Bool = false, loss: RecordLoss? = nil,
        unreached: RequestFailure? = nil, triedAt: Timestamp? = nil, unwritten: VaultError? = nil
    ) {
        self.clock = clock
        self.license = license
        self.trial = trial
        self.terms = terms
        self.startsTrialOffline = startsTrialOffline
        self.loss = loss
        self.unreached = unreached
        self.triedAt = triedAt
        self.unwritten = unwritten
    }
}

/// The stored license, as far as it could be read and verified.
package enum StoredLicense: Sendable, Hashable {
    /// The lease is verified; it may have lapsed.
    case lease(LeaseFacts)
    /// The server refused the last renewal of the license.
    case refused(SignedRefusal)
    /// The stored lease fails verification, because of this problem.
    case unverifiable(LeaseProblem)
    /// The license is stored without a lease or a refusal.
    case unconfirmed
    /// The record exists but can't be read, because of this error, so there's no information about the license.
    case unreadable(VaultError)
}

/// A decided state and the reasons for it.
package struct Resolution: Sendable, Hashable {
    package let state: LicenseState
    package let explanation: Explanation
}

extension Situation {
    /// Decides the license's state.
    ///
    /// A stored license takes precedence over a trial, and a trial over a free plan. A clock that was set back always
    /// gives `invalid`. An expired license is always shown as such and never hidden by a trial or a free plan.
    ///
    /// - Parameter now: Trusted time, see `Documentation/time.md`.
    package func resolve(at now: Timestamp) -> Resolution {
        let (state, reasons) = license.map { status(of: $0, at: now) } ?? standingWithoutLicense(at: now)
        var all = reasons
        if let loss { all.append(.recordLost(loss)) }
        if let unreached { all.append(.serverUnreached(unreached, triedAt: oldTry(at: now))) }
        if let unwritten { all.append(.recordUnwritable(unwritten)) }
        guard case .setBack(let evidence) = clock else {
            return Resolution(state: state, explanation: Explanation(all[0], Array(all.dropFirst())))
        }
        return Resolution(state: .invalid, explanation: Explanation(.clockSetBack(evidence), all))
    }

    /// When the last request was sent, if it was so long ago that the server may be reachable again; otherwise `nil`.
    private func oldTry(at now: Timestamp) -> Timestamp? {
        triedAt.flatMap { abs($0.seconds(until: now)) >= RefreshPolicy.debounce ? $0 : nil }
    }

    private func status(of license: StoredLicense, at now: Timestamp) -> (LicenseState, [Reason]) {
        switch license {
        case .lease(let lease): status(under: lease, at: now)
        case .refused(let refusal): status(after: refusal, at: now)
        case .unverifiable(let problem): (.invalid, [.leaseUnverifiable(problem)])
        case .unconfirmed: (.expired, [.leaseMissing])
        case .unreadable(let error): (.invalid, [.recordUnreadable(error)])
        }
    }

    private func status(under lease: LeaseFacts, at now: Timestamp) -> (LicenseState, [Reason]) {
        switch lease.status {
        case .active: lease.holds(at: now) ? (.licensed, [.leaseHolds(lease)]) : (.expired, [.leaseLapsed(lease)])
        // The lease's end doesn't matter here: the reduced mode stays, online or offline, until a server says
        // otherwise.
        case .fallback: (.limited, [.licenseInFallback(lease)])
        case .expired: (.expired, [.licenseExpired(lease)])
        }
    }

    private func status(after refusal: SignedRefusal, at now: Timestamp) -> (LicenseState, [Reason]) {
        let reasons = refusal.reasons.map(Reason.init)
        if let lease = refusal.lease?.facts, lease.status != .active {
            let (state, own) = status(under: lease, at: now)
            return (state, reasons.isEmpty ? own : reasons)
        }
        guard let first = reasons.first else { return (.invalid, [.refusedWithoutReason]) }
        return (first.code == .licenseExpired ? .expired : .invalid, reasons)
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
            guard trial == .notStarted else { return (.expired, [over, .productTermsUnknown]) }
            return (.expired, [.notConnectedYet] + (startsTrialOffline ? [.trialNotStarted] : []))
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
    /// How many seconds after its end a lease is still accepted, because clocks differ.
    package static let skewAllowance: Int64 = 300

    /// The last moment at which the lease is valid, including the skew allowance.
    package var lastMoment: Timestamp { expiresAt.timestamp.adding(seconds: Self.skewAllowance) }

    /// Whether the lease is valid at this time, including the skew allowance.
    package func holds(at now: Timestamp) -> Bool { now <= lastMoment }
}
