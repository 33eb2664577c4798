extension EventKind {
    /// A license was granted.
    public static let licenseIssued = EventKind("license.issued")
    /// A term was replaced by a later one.
    public static let licenseRenewed = EventKind("license.renewed")
    /// Policy, holder or term were edited.
    public static let licenseChanged = EventKind("license.changed")
    /// The key was replaced; the old one is dead.
    public static let licenseRekeyed = EventKind("license.rekeyed")
    /// Stopped, reversibly.
    public static let licenseSuspended = EventKind("license.suspended")
    /// No longer stopped.
    public static let licenseReinstated = EventKind("license.reinstated")
    /// Stopped, finally.
    public static let licenseRevoked = EventKind("license.revoked")
    /// Given back by its holder.
    public static let licenseReturned = EventKind("license.returned")
    /// The term ended, and the server wrote it down.
    public static let licenseExpired = EventKind("license.expired")
    /// A device took a seat.
    public static let activationCreated = EventKind("activation.created")
    /// A seat was given back.
    public static let activationReleased = EventKind("activation.released")
    /// A release was taken back.
    public static let activationRestored = EventKind("activation.restored")
    /// The operator made a one-time link to a license's page.
    public static let licenseLinkMade = EventKind("license.link_made")
    /// A holder opened a license's page with a one-time link.
    public static let licenseSessionOpened = EventKind("license.session_opened")
    /// A holder closed a license's page.
    public static let licenseSessionClosed = EventKind("license.session_closed")
}
