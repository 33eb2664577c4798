public import TenureCore

extension ContentOutlook {
    /// What a user can do if a content item doesn't play or isn't available.
    public enum Help: String, Sendable, Hashable, CaseIterable {
        /// Connect the device to the internet and open the content there, which renews it.
        case connect
        /// Wait until the date when the content becomes available.
        case wait
        /// Release a device that is no longer used.
        case release
        /// Correct the device's clock, or connect the device to the internet.
        case setClock
        /// Ask the vendor; only the vendor can help.
        case vendor
    }
}

extension Reason {
    /// What the user can do about this reason; `nil` if no advice is known.
    ///
    /// If a limit on the device was reached, connecting renews the license. If the renewal itself is refused, only the
    /// vendor can help.
    public var help: ContentOutlook.Help? {
        switch code {
        case .playWindowOver where evidence.contains { $0.name == "onRenewal" }: .vendor
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
