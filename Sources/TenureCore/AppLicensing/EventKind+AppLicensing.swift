extension EventKind {
    /// An app license was issued to a device.
    public static let appLicenseIssued = EventKind("app_license.issued")
    /// An app was asked for and not licensed; the detail says why.
    public static let appLicenseRefused = EventKind("app_license.refused")
    /// An app license got a new term.
    public static let appLicenseRenewed = EventKind("app_license.renewed")
    /// A renewal was refused; the detail says why.
    public static let appLicenseIneligible = EventKind("app_license.ineligible")
    /// Stopped, reversibly.
    public static let appLicenseSuspended = EventKind("app_license.suspended")
    /// No longer stopped.
    public static let appLicenseReinstated = EventKind("app_license.reinstated")
    /// Stopped, finally.
    public static let appLicenseRevoked = EventKind("app_license.revoked")
    /// Given back: its place is free.
    public static let appLicenseReturned = EventKind("app_license.returned")
    /// An app was granted to an account.
    public static let appGranted = EventKind("app_grant.granted")
    /// An account's right to an app was ended.
    public static let appGrantEnded = EventKind("app_grant.ended")
    /// Signing assets of a marketplace were made, imported or rotated.
    public static let marketplaceKeyAdded = EventKind("marketplace.key_added")
}
