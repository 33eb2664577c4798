package import TenureCore

/// What is said where there is no license, about the clock, and about the network.
extension Reason {
    /// The device's clock was set back.
    package static func clockSetBack(_ evidence: ClockEvidence) -> Reason {
        Reason(
            code: .clockSetBack,
            message: "The clock of this device says \(evidence.wall), but it is at least \(evidence.trusted).",
            cure: "Set the clock right, or connect to the internet once and check now.",
            evidence: [
                Evidence("clock", .date(evidence.wall)), Evidence("atLeast", .date(evidence.trusted)),
                Evidence("behindSeconds", .number(evidence.wall.seconds(until: evidence.trusted))),
                Evidence("toleranceSeconds", .number(ClockMarks.tolerance)),
            ])
    }

    /// The trial runs.
    package static func trialRunning(daysLeft: Int, end: Timestamp, next: Timestamp?) -> Reason {
        Reason(
            code: .trialRunning, message: "The trial runs until \(end).",
            cure: "Activate a license key to go on after it.",
            evidence: [Evidence("daysLeft", .number(Int64(daysLeft))), Evidence("endsAt", .date(end))],
            changesAt: next)
    }

    /// The trial is over.
    package static func trialEnded(end: Timestamp) -> Reason {
        Reason(
            code: .trialEnded, message: "The trial ended on \(end).", cure: "Activate a license key.",
            evidence: [Evidence("endedAt", .date(end))])
    }

    /// Nothing was looked at yet.
    package static let notLookedYet = Reason(
        code: ReasonCode("not_looked_yet"), message: "The license has not been looked at since the app started.",
        cure: "Wait a moment.")

    /// Nobody started a trial.
    package static let trialNotStarted = Reason(
        code: .trialNotStarted, message: "There is no license, and no trial was started.",
        cure: "Start the trial, or activate a license key.")

    /// The product has no trial.
    package static let trialNotOffered = Reason(
        code: .trialNotOffered, message: "There is no license, and the product has no trial.",
        cure: "Activate a license key.")

    /// The free plan.
    package static let freeTier = Reason(
        code: .freeTier, message: "The product has a free plan.",
        cure: "Activate a license key to unlock everything.")

    /// There is no free plan to fall back on.
    package static let noFreeTier = Reason(
        code: .noFreeTier, message: "The product has no free plan.", cure: "Activate a license key.")

    /// What the vendor allows was never fetched, so no free plan is assumed.
    package static let productTermsUnknown = Reason(
        code: .productTermsUnknown, message: "The license server has not been asked what is free yet.",
        cure: "Connect to the internet once and check now, or activate a license key.")

    /// The last request brought nothing.
    package static func serverUnreached(_ unreached: Unreached) -> Reason {
        let cure =
            switch unreached.cause {
            case .offline, .cancelled:
                "Connect to the internet; it is tried again by itself, or at once if you check now."
            case .captive:
                "Sign in to the network in a browser; it is tried again by itself, or at once if you check now."
            case .busy: "Nothing needs to be done; it is tried again by itself."
            case .untrusted, .unverified: "Try another network; if it stays so, tell the vendor."
            case .misconfigured: "Tell the vendor; it is tried again by itself."
            }
        return Reason(
            code: .serverUnreached, message: "The license server could not be asked: \(unreached.message)", cure: cure,
            evidence: [Evidence("cause", .text(unreached.cause.rawValue))])
    }

    /// The server said when it may be asked again.
    package static func serverWantsRest(until moment: Timestamp) -> Reason {
        Reason(
            code: .serverUnreached, message: "The license server asks to be left alone until \(moment).",
            cure: "Check again then; it is also tried by itself.",
            evidence: [Evidence("until", .date(moment))], changesAt: moment)
    }
}
