package import TenureCore
import TenureLicensing
package import TenureVault

/// The reasons about a stored license.
extension Reason {
    /// A valid lease confirms the license.
    package static func leaseHolds(_ lease: LeaseFacts) -> Reason {
        Reason(
            .leaseHolds, message: "The license was confirmed on \(lease.issuedAt.timestamp).",
            evidence: lease.dates, changesAt: lease.lastMoment.adding(seconds: 1))
    }

    /// The lease has ended and no new one could be obtained.
    package static func leaseLapsed(_ lease: LeaseFacts) -> Reason {
        Reason(
            .leaseLapsed,
            message: "The license was last confirmed on \(lease.issuedAt.timestamp) and could be used until"
                + " \(lease.expiresAt.timestamp).",
            evidence: lease.dates)
    }

    /// The license has expired, and the reduced mode is available.
    package static func licenseInFallback(_ lease: LeaseFacts) -> Reason {
        Reason(
            .licenseExpired, message: "The license has expired. The app works in reduced mode.",
            cure: "To unlock everything again, renew the license and check now.",
            evidence: lease.dates + [Evidence("mode", .text("fallback"))])
    }

    /// The server signed that the license has expired.
    package static func licenseExpired(_ lease: LeaseFacts) -> Reason {
        Reason(
            .licenseExpired, message: "The license has expired.",
            cure: "Renew the license and check now. This device stays activated.", evidence: lease.dates)
    }

    /// The stored lease fails verification.
    package static func leaseUnverifiable(_ problem: LeaseProblem) -> Reason {
        Reason(
            .leaseUnverifiable, evidence: [Evidence("problem", .text(problem.rawValue))])
    }

    /// A license is stored without a lease.
    package static let leaseMissing = Reason(.leaseMissing)

    package static func recordUnreadable(_ error: VaultError) -> Reason {
        switch error.code {
        case .corrupted: Reason(.recordCorrupted, message: error.message)
        case .foreign: Reason(.recordForeign, message: error.message)
        case .unreadable, .unwritable, .busy: Reason(.recordUnreadable, message: error.message)
        }
    }

    /// The previous record couldn't be used.
    package static func recordLost(_ loss: RecordLoss) -> Reason {
        let found = [Evidence("foundAt", .date(loss.at.timestamp))]
        return switch loss.code {
        case .corrupted:
            Reason(
                .recordCorrupted,
                message: "The license record that was here until \(loss.at.timestamp) is damaged and isn't used.",
                cure: "Enter the license key again. This doesn't count as a second activation.", evidence: found)
        case .foreign:
            Reason(
                .recordForeign,
                message:
                    "The license record that was here until \(loss.at.timestamp) isn't used. It was written on another"
                    + " device, or this device has a new identity.",
                cure: "Activate the license key on this device.", evidence: found)
        }
    }

    /// The record couldn't be written, so the state may be lost at the next launch.
    package static func recordUnwritable(_ error: VaultError) -> Reason {
        Reason(.recordUnwritable, message: error.message)
    }

    package static let refusedWithoutReason = Reason(.licenseRefused)

    /// Converts a reason that a server sent.
    package init(_ reason: ToldReason) {
        self.init(
            Kind(told: reason.code), message: reason.message, cure: reason.cure ?? "Ask the vendor.",
            evidence: (reason.evidence ?? [:]).sorted { $0.key < $1.key }.map { Evidence($0.key, .text($0.value)) },
            changesAt: reason.changesAt?.timestamp)
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
