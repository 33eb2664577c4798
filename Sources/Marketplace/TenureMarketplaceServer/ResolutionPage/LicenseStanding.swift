import TenureCore
import TenureMarketplace

/// The most important fact about one device's license, which selects the texts on its card.
package enum LicenseStanding: Sendable, Hashable, CaseIterable {
    case fine
    /// The license expired, and nothing prevents a renewal.
    case expired
    /// A renewal was refused in this term, but nothing would refuse it now.
    case renewalFailed
    /// The account's grant expired.
    case subscriptionEnded
    /// The vendor ended the account's grant.
    case accessEnded
    /// The account has no grant for the app.
    case notGranted
    /// The license expired, and the app is already on as many other devices as the account may use.
    case deviceLimit
    /// The app was withdrawn or is no longer listed.
    case withdrawn
    /// The license expired too long ago to be renewed.
    case tooLate
    /// The vendor suspended the license.
    case suspended
    /// The vendor revoked the license.
    case revoked
    /// The device was released.
    case released
    /// A problem on the vendor's side, such as a missing key, or a reason that has no text here.
    case vendorSide

    /// Derives the value from the recorded state, then from the most specific reason, then from the term.
    package init(of explained: ExplainedApp.License) {
        let license = explained.license
        switch license.recordedState {
        case .revoked: self = .revoked
        case .returned: self = license.isUndelivered ? .vendorSide : .released
        case .suspended: self = .suspended
        case .issued, .active, .expired:
            if let reason = explained.explanation.reasons.first {
                self = Self(reason.code)
            } else if explained.explanation.state == .expired {
                self = .expired
            } else {
                self = license.failedAt == nil ? .fine : .renewalFailed
            }
        }
    }

    private init(_ code: Reason.Kind) {
        self =
            switch code {
            case .appGrantExpired: .subscriptionEnded
            case .appGrantEnded: .accessEnded
            case .appNotGranted: .notGranted
            case .deviceLimitReached: .deviceLimit
            case .appWithdrawn, .appUnknown: .withdrawn
            case .appRenewalTooLate: .tooLate
            case .licenseSuspended: .suspended
            case .licenseRevoked: .revoked
            case .licenseReturned: .released
            default: .vendorSide
            }
    }

    /// Whether a renewal would be granted now.
    var canRenew: Bool {
        switch self {
        case .fine, .expired, .renewalFailed: true
        case .subscriptionEnded, .accessEnded, .notGranted, .deviceLimit, .withdrawn, .tooLate, .suspended, .revoked,
            .released, .vendorSide:
            false
        }
    }

    /// Whether the device can be released.
    ///
    /// A release must not undo a suspension or revocation.
    var canRelease: Bool {
        switch self {
        case .revoked, .released, .suspended: false
        case .fine, .expired, .renewalFailed, .subscriptionEnded, .accessEnded, .notGranted, .deviceLimit, .withdrawn,
            .tooLate, .vendorSide:
            true
        }
    }
}
