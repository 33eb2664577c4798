import TenureCore
import TenureServerKit

extension LicenseCard {
    /// The text of the status mark.
    var mark: String {
        switch light {
        case .opens: say(.opens)
        case .opensUntil: say(.opensForNow)
        case .closed: say(.closed)
        case .over: say(status == .released ? .released : .stopped)
        }
    }

    var headline: String {
        switch status {
        case .fine: say(.fine)
        case .expired: say(.expired)
        case .renewalFailed: say(.renewalFailed)
        case .subscriptionEnded: say(.subscriptionEnded)
        case .accessEnded: say(.accessEnded)
        case .notGranted: say(.notGranted)
        case .deviceLimit: say(.deviceLimit)
        case .withdrawn: say(.withdrawn)
        case .tooLate: say(.tooLate)
        case .suspended: say(.suspended)
        case .revoked: say(.revoked)
        case .released: say(.deviceReleased)
        case .vendorSide: say(.vendorSide)
        }
    }

    /// The text that explains the license's status.
    var story: String {
        switch status {
        case .fine: say(end == nil ? .perpetualText : .fineText)
        case .expired: say(.expiredText)
        case .renewalFailed: say(.renewalFailedText)
        case .subscriptionEnded: say(.subscriptionEndedText)
        case .accessEnded: say(.accessEndedText)
        case .notGranted: say(.notGrantedText)
        case .deviceLimit: deviceLimit.map { say(.deviceLimitCount, count: $0) } ?? say(.deviceLimitText)
        case .withdrawn: say(.withdrawnText)
        case .tooLate: say(.tooLateText)
        case .suspended: say(.suspendedText)
        case .revoked: say(.revokedText)
        case .released: say(.deviceReleasedText)
        case .vendorSide: say(.vendorSideText)
        }
    }

    /// A sentence about the person's next step; `nil` if no step is needed.
    var cure: String? {
        switch status {
        case .fine: nil
        case .expired, .renewalFailed: say(.expiredHelp)
        case .subscriptionEnded: say(.subscriptionHelp)
        case .accessEnded: say(.accessHelp)
        case .notGranted: say(.notGrantedHelp)
        case .deviceLimit: say(.deviceLimitHelp)
        case .withdrawn: say(.withdrawnHelp)
        case .tooLate: say(.tooLateHelp)
        case .suspended: say(.suspendedHelp)
        case .revoked: say(.revokedHelp)
        case .released: say(.releasedHelp)
        case .vendorSide: say(.vendorHelp)
        }
    }

    /// A sentence that says when the state changes without any action; `nil` if no such change is due.
    var byItself: String? {
        if let changes = reasons.first?.changesAt, changes > now { return say(.changesOn, on: changes) }
        guard light == .opensUntil, let end, end > now else { return nil }
        return say(.stopsOn, on: end)
    }
}
