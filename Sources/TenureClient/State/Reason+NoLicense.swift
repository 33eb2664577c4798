package import TenureCore

/// What is said where there is no license, about the clock, and about the network.
extension Reason {
    /// The device's clock was set back.
    package static func clockSetBack(_ evidence: ClockEvidence) -> Reason {
        Reason(
            .clockSetBack,
            message: "The clock of this device says \(evidence.wall), but it is at least \(evidence.trusted).",
            evidence: [
                Evidence("clock", .date(evidence.wall)), Evidence("atLeast", .date(evidence.trusted)),
                Evidence("behindSeconds", .number(evidence.wall.seconds(until: evidence.trusted))),
                Evidence("toleranceSeconds", .number(ClockMarks.tolerance)),
            ])
    }

    /// The trial runs.
    package static func trialRunning(daysLeft: Int, end: Timestamp, next: Timestamp?) -> Reason {
        Reason(
            .trialRunning, message: "The trial runs until \(end).",
            evidence: [Evidence("daysLeft", .number(Int64(daysLeft))), Evidence("endsAt", .date(end))],
            changesAt: next)
    }

    /// The trial is over.
    package static func trialEnded(end: Timestamp) -> Reason {
        Reason(
            .trialEnded, message: "The trial ended on \(end).",
            evidence: [Evidence("endedAt", .date(end))])
    }

    /// A link would replace a license that works.
    package static let licenseInUse = Reason(.licenseInUse)

    /// Nothing was looked at yet.
    package static let notLookedYet = Reason(.notLookedYet)

    /// Nobody started a trial.
    package static let trialNotStarted = Reason(.trialNotStarted)

    /// The product has no trial.
    package static let trialNotOffered = Reason(
        .trialNotOffered, message: "There is no license, and the product has no trial.",
        cure: "Activate a license key.")

    /// The free plan.
    package static let freeTier = Reason(.freeTier)

    /// There is no free plan to fall back on.
    package static let noFreeTier = Reason(.noFreeTier)

    /// What the vendor allows was never fetched, so no free plan is assumed.
    package static let productTermsUnknown = Reason(.productTermsUnknown)

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
            .serverUnreached, message: "The license server could not be asked: \(unreached.message)", cure: cure,
            evidence: [Evidence("cause", .text(unreached.cause.rawValue))])
    }

    /// The server said when it may be asked again.
    package static func serverWantsRest(until moment: Timestamp) -> Reason {
        Reason(
            .serverUnreached, message: "The license server asks to be left alone until \(moment).",
            cure: "Check again then; it is also tried by itself.",
            evidence: [Evidence("until", .date(moment))], changesAt: moment)
    }
}
