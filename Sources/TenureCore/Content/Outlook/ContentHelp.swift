/// What a person can do about a content that does not play, or is not given.
public enum ContentHelp: String, Sendable, Hashable, CaseIterable {
    /// Connect the device to the internet and open the content there: it is renewed by itself.
    case connect
    /// Nothing: it changes by itself when its time has come.
    case wait
    /// Release a device that is no longer used.
    case release
    /// Set the clock of the device, or connect it.
    case setClock
    /// Ask the vendor: only there can it be changed.
    case vendor
}

extension Reason {
    /// What helps against it; nil where nobody has said.
    ///
    /// What a limit of the device's license has ended is renewed when it connects; that a renewal itself is refused, is
    /// the vendor's to change.
    public var help: ContentHelp? {
        switch code {
        case .onlineNeeded, .checkInOverdue, .playerExpired, .grantExpired, .playWindowOver, .contentLicenseUnknown,
            .grantNeeded,
            .contentLicenseReturned:
            .connect
        case .grantNotStarted, .enrolmentNotStarted: .wait
        case .deviceLimitReached: .release
        case .contentClockSetBack: .setClock
        case .playsUsedUp, .playTimeUsedUp, .enrolmentPaused, .enrolmentEnded, .enrolmentUnknown, .notRenewable,
            .renewalOver, .contentLicenseRevoked, .contentLicenseDeleted, .contentLicenseExpired, .deviceReleased:
            .vendor
        default: nil
        }
    }
}
