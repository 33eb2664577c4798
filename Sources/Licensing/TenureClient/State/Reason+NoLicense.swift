package import TenureCore
import TenureLicensing

/// The reasons about a missing license, the clock, and the network.
extension Reason {
    package static func clockSetBack(_ evidence: ClockEvidence) -> Reason {
        Reason(
            .clockSetBack,
            message: "This device's clock shows \(evidence.wall), but the time is at least \(evidence.trusted).",
            evidence: [
                Evidence("clock", .date(evidence.wall)), Evidence("atLeast", .date(evidence.trusted)),
                Evidence("behindSeconds", .number(evidence.wall.seconds(until: evidence.trusted))),
                Evidence("toleranceSeconds", .number(ClockMarks.tolerance)),
            ])
    }

    package static func trialRunning(daysLeft: Int, end: Timestamp, next: Timestamp?) -> Reason {
        Reason(
            .trialRunning, message: "The trial ends on \(end).",
            evidence: [Evidence("daysLeft", .number(Int64(daysLeft))), Evidence("endsAt", .date(end))],
            changesAt: next)
    }

    package static func trialEnded(end: Timestamp) -> Reason {
        Reason(
            .trialEnded, message: "The trial ended on \(end).",
            evidence: [Evidence("endedAt", .date(end))])
    }

    /// A link would replace a working license.
    package static let licenseInUse = Reason(.licenseInUse)

    /// The state hasn't been decided since the app started.
    package static let notLookedYet = Reason(.notLookedYet)

    package static let trialNotStarted = Reason(.trialNotStarted)

    package static let trialNotOffered = Reason(
        .trialNotOffered, message: "There is no license, and the product has no trial.",
        cure: "Activate a license key.")

    /// There is no license, so the product's free plan applies.
    package static let freeTier = Reason(.freeTier)

    package static let noFreeTier = Reason(.noFreeTier)

    /// The product's terms were never fetched, so neither a trial nor a free plan is assumed.
    package static let notConnectedYet = Reason(.notConnectedYet)

    /// The product's terms were never fetched, so no free plan is assumed.
    package static let productTermsUnknown = Reason(.productTermsUnknown)

    /// The last request failed.
    ///
    /// - Parameter triedAt: When the request was sent, if it was so long ago that the server may be reachable again;
    ///   otherwise `nil`.
    package static func serverUnreached(_ unreached: RequestFailure, triedAt: Timestamp? = nil) -> Reason {
        // The details are in the words of the system or a library, so only developers see them.
        let details = [
            Evidence("cause", .text(unreached.cause.rawValue)), Evidence("detail", .text(unreached.message)),
        ]
        if let triedAt {
            return Reason(
                .serverUnreached, message: "The last request to the license server, on \(triedAt), failed.",
                cure: "Check now, or wait: the app also tries automatically.",
                evidence: [Evidence("triedAt", .date(triedAt))] + details)
        }
        let cure =
            switch unreached.cause {
            case .offline, .cancelled:
                "Connect to the internet. The app then tries again automatically, or you can check now."
            case .captive:
                "Sign in to the network in a browser. The app then tries again automatically, or you can check now."
            case .busy: "No action is needed. The app tries again automatically."
            case .untrusted, .unverified: "Try another network. If that doesn't help, tell the vendor."
            case .misconfigured: "Tell the vendor. The app tries again automatically."
            }
        let message =
            switch unreached.cause {
            case .offline: "There is no connection to the license server."
            case .cancelled: "The request to the license server was cancelled."
            case .captive: "This network asks you to sign in first."
            case .busy: "The license server can't respond right now."
            case .untrusted: "The connection to the license server isn't secure on this network."
            case .unverified: "The license server's response couldn't be verified."
            case .misconfigured: "The license server doesn't accept this app's settings."
            }
        return Reason(.serverUnreached, message: message, cure: cure, evidence: details)
    }

    /// The server asked to wait until a certain time (`Retry-After`).
    package static func serverWantsRest(until time: Timestamp) -> Reason {
        Reason(
            .serverUnreached, message: "The license server asked the app to wait until \(time).",
            cure: "Check again then, or wait: the app also tries automatically.",
            evidence: [Evidence("until", .date(time))], changesAt: time)
    }
}
