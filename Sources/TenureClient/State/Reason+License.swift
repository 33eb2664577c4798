package import TenureCore

/// The codes that only a client says; those of a server are `TenureCore`'s.
extension ReasonCode {
    /// A lease confirms the license.
    package static let leaseHolds = ReasonCode("lease_holds")
    /// The lease lapsed: nothing confirmed the license for too long.
    package static let leaseLapsed = ReasonCode("lease_lapsed")
    /// The kept lease does not verify.
    package static let leaseUnverifiable = ReasonCode("lease_unverifiable")
    /// A license is kept without a lease.
    package static let leaseMissing = ReasonCode("lease_missing")
    /// The record was changed or cut.
    package static let recordCorrupted = ReasonCode("record_corrupted")
    /// The record was written on another device, or for another product.
    package static let recordForeign = ReasonCode("record_foreign")
    /// The record cannot be read now.
    package static let recordUnreadable = ReasonCode("record_unreadable")
    /// The record cannot be written now.
    package static let recordUnwritable = ReasonCode("record_unwritable")
    /// The device's clock was set back.
    package static let clockSetBack = ReasonCode("clock_set_back")
    /// The trial runs.
    package static let trialRunning = ReasonCode("trial_running")
    /// The trial is over.
    package static let trialEnded = ReasonCode("trial_ended")
    /// Nobody started a trial.
    package static let trialNotStarted = ReasonCode("trial_not_started")
    /// The product has no trial.
    package static let trialNotOffered = ReasonCode("trial_not_offered")
    /// There is a free plan.
    package static let freeTier = ReasonCode("free_tier")
    /// There is no free plan.
    package static let noFreeTier = ReasonCode("no_free_tier")
    /// What the vendor allows without a license was never fetched.
    package static let productTermsUnknown = ReasonCode("product_terms_unknown")
    /// The last request brought nothing that may change a state.
    package static let serverUnreached = ReasonCode("server_unreached")
}

/// What is said about a stored license.
extension Reason {
    /// A lease confirms the license.
    package static func leaseHolds(_ lease: LeaseFacts) -> Reason {
        Reason(
            code: .leaseHolds, message: "The license was confirmed on \(lease.issuedAt.timestamp).",
            cure: "Nothing needs to be done; it is confirmed again by itself when there is a network.",
            evidence: lease.dates, changesAt: lease.lastMoment.adding(seconds: 1))
    }

    /// Nothing confirmed the license for too long.
    package static func leaseLapsed(_ lease: LeaseFacts) -> Reason {
        Reason(
            code: .leaseLapsed,
            message: "The license was confirmed last on \(lease.issuedAt.timestamp), for use until"
                + " \(lease.expiresAt.timestamp).",
            cure: "Connect to the internet once; the license is confirmed by itself, or at once if you check now.",
            evidence: lease.dates)
    }

    /// The license expired; a reduced mode stays.
    package static func licenseInFallback(_ lease: LeaseFacts) -> Reason {
        Reason(
            code: .licenseExpired, message: "The license expired; the reduced mode stays available.",
            cure: "Renew it and check now; everything is unlocked again.", evidence: lease.dates)
    }

    /// The server signed that the license expired.
    package static func licenseExpired(_ lease: LeaseFacts) -> Reason {
        Reason(
            code: .licenseExpired, message: "The license expired.",
            cure: "Renew it and check now; this device stays activated.", evidence: lease.dates)
    }

    /// The kept lease is not what it should be.
    package static func leaseUnverifiable(_ problem: LeaseProblem) -> Reason {
        Reason(
            code: .leaseUnverifiable, message: "What confirms the license cannot be verified.",
            cure: "Connect to the internet once; the license is confirmed anew by itself, or at once if you check now.",
            evidence: [Evidence("problem", .text(problem.rawValue))])
    }

    /// A license is kept, and nothing that confirms it.
    package static let leaseMissing = Reason(
        code: .leaseMissing, message: "The license has not been confirmed on this device.",
        cure: "Connect to the internet once; the license is confirmed by itself, or at once if you check now.")

    /// The record cannot be read.
    package static func recordUnreadable(_ error: VaultError) -> Reason {
        let (code, cure): (ReasonCode, String) =
            switch error.code {
            case .corrupted:
                (
                    .recordCorrupted,
                    "Enter the license key again; without one, connect to the internet once and check now."
                )
            case .foreign:
                (
                    .recordForeign,
                    "Activate the license key on this device; without one, connect to the internet once and check now."
                )
            case .unreadable, .unwritable, .busy:
                (.recordUnreadable, "Let the app read its files, then start it again.")
            }
        return Reason(code: code, message: error.message, cure: cure)
    }

    /// The record that was here before could not be used.
    package static func recordLost(_ loss: RecordLoss) -> Reason {
        let found = [Evidence("foundAt", .date(loss.at.timestamp))]
        return switch loss.code {
        case .corrupted:
            Reason(
                code: .recordCorrupted,
                message: "The license record that was here until \(loss.at.timestamp) was damaged, and is not used.",
                cure: "Enter the license key again; it takes no second place.", evidence: found)
        case .foreign:
            Reason(
                code: .recordForeign,
                message: "The license record that was here until \(loss.at.timestamp) was written on another device, or"
                    + " this one was given a new identity, and is not used.",
                cure: "Activate the license key on this device.", evidence: found)
        }
    }

    /// The record could not be written, so the state may be forgotten at the next launch.
    package static func recordUnwritable(_ error: VaultError) -> Reason {
        Reason(
            code: .recordUnwritable, message: error.message,
            cure: "Let the app write its files and see that the disk has room.")
    }

    /// A no of a server that does not say why.
    package static let refusedWithoutReason = Reason(
        code: ReasonCode("license_refused"), message: "The license server refused the license.",
        cure: "Ask the vendor.")

    /// A reason that a server told.
    package init(_ told: ToldReason) {
        self.init(
            code: ReasonCode(told.code), message: told.message, cure: told.cure ?? "Ask the vendor.",
            evidence: (told.evidence ?? [:]).sorted { $0.key < $1.key }.map { Evidence($0.key, .text($0.value)) },
            changesAt: told.changesAt?.timestamp)
    }
}

extension LeaseFacts {
    fileprivate var dates: [Reason.Evidence] {
        var dates = [
            Reason.Evidence("issuedAt", .date(issuedAt.timestamp)),
            Reason.Evidence("expiresAt", .date(expiresAt.timestamp)),
        ]
        if let termEnd { dates.append(Reason.Evidence("termEnd", .date(termEnd.timestamp))) }
        return dates
    }
}
