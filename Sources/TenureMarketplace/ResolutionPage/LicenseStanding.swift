import TenureCore

/// What a person is told about the license of one device, first of all.
package enum LicenseStanding: Sendable, Hashable, CaseIterable {
    /// Nothing is wrong.
    case fine
    /// It ran out, and nothing keeps it from being renewed.
    case expired
    /// A renewal was refused in this term, and nothing would refuse it now.
    case renewalFailed
    /// The account's right to the app ran out.
    case subscriptionEnded
    /// The vendor ended the account's right to the app.
    case accessEnded
    /// The account has no right to the app.
    case notGranted
    /// It ran out, and the app is on as many other devices as are allowed.
    case deviceLimit
    /// The app was taken down.
    case withdrawn
    /// It ran out too long ago.
    case tooLate
    /// The vendor stopped it, and may let it go on.
    case suspended
    /// The vendor stopped it for good.
    case revoked
    /// The device was released.
    case released
    /// Something on the vendor's side is missing, or a reason that has no words here yet.
    case vendorSide

    /// Judges by the recorded state, then by the most specific reason, then by time.
    package init(of explained: ExplainedApp.License) {
        let license = explained.license
        switch license.recordedState {
        case .revoked: self = .revoked
        case .returned: self = .released
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

    /// Whether a renewal asked for now would be granted.
    var canRenew: Bool {
        switch self {
        case .fine, .expired, .renewalFailed: true
        case .subscriptionEnded, .accessEnded, .notGranted, .deviceLimit, .withdrawn, .tooLate, .suspended, .revoked,
            .released, .vendorSide:
            false
        }
    }

    /// Whether the device can be released: not when it was already, nor to undo what the vendor stopped.
    var canRelease: Bool {
        switch self {
        case .revoked, .released, .suspended: false
        case .fine, .expired, .renewalFailed, .subscriptionEnded, .accessEnded, .notGranted, .deviceLimit, .withdrawn,
            .tooLate, .vendorSide:
            true
        }
    }
}
