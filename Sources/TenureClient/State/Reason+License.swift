package import TenureCore
package import TenureVault

/// What is said about a stored license.
extension Reason {
    /// A lease confirms the license.
    package static func leaseHolds(_ lease: LeaseFacts) -> Reason {
        Reason(
            .leaseHolds, message: "The license was confirmed on \(lease.issuedAt.timestamp).",
            evidence: lease.dates, changesAt: lease.lastMoment.adding(seconds: 1))
    }

    /// Nothing confirmed the license for too long.
    package static func leaseLapsed(_ lease: LeaseFacts) -> Reason {
        Reason(
            .leaseLapsed,
            message: "The license was confirmed last on \(lease.issuedAt.timestamp), for use until"
                + " \(lease.expiresAt.timestamp).",
            evidence: lease.dates)
    }

    /// The license expired; a reduced mode stays.
    package static func licenseInFallback(_ lease: LeaseFacts) -> Reason {
        Reason(
            .licenseExpired, message: "The license expired; the reduced mode stays available.",
            cure: "Renew it and check now; everything is unlocked again.", evidence: lease.dates)
    }

    /// The server signed that the license expired.
    package static func licenseExpired(_ lease: LeaseFacts) -> Reason {
        Reason(
            .licenseExpired, message: "The license expired.",
            cure: "Renew it and check now; this device stays activated.", evidence: lease.dates)
    }

    /// The kept lease is not what it should be.
    package static func leaseUnverifiable(_ problem: LeaseProblem) -> Reason {
        Reason(
            .leaseUnverifiable, evidence: [Evidence("problem", .text(problem.rawValue))])
    }

    /// A license is kept, and nothing that confirms it.
    package static let leaseMissing = Reason(.leaseMissing)

    /// The record cannot be read.
    package static func recordUnreadable(_ error: VaultError) -> Reason {
        switch error.code {
        case .corrupted: Reason(.recordCorrupted, message: error.message)
        case .foreign: Reason(.recordForeign, message: error.message)
        case .unreadable, .unwritable, .busy: Reason(.recordUnreadable, message: error.message)
        }
    }

    /// The record that was here before could not be used.
    package static func recordLost(_ loss: RecordLoss) -> Reason {
        let found = [Evidence("foundAt", .date(loss.at.timestamp))]
        return switch loss.code {
        case .corrupted:
            Reason(
                .recordCorrupted,
                message: "The license record that was here until \(loss.at.timestamp) was damaged, and is not used.",
                cure: "Enter the license key again; it takes no second place.", evidence: found)
        case .foreign:
            Reason(
                .recordForeign,
                message: "The license record that was here until \(loss.at.timestamp) was written on another device, or"
                    + " this one was given a new identity, and is not used.",
                cure: "Activate the license key on this device.", evidence: found)
        }
    }

    /// The record could not be written, so the state may be forgotten at the next launch.
    package static func recordUnwritable(_ error: VaultError) -> Reason {
        Reason(.recordUnwritable, message: error.message)
    }

    /// A no of a server that does not say why.
    package static let refusedWithoutReason = Reason(.licenseRefused)

    /// A reason that a server told.
    package init(_ told: ToldReason) {
        self.init(
            Kind(told: told.code), message: told.message, cure: told.cure ?? "Ask the vendor.",
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
