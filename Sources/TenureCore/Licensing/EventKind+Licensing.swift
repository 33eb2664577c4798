extension EventKind {
    /// A license was granted.
    public static let licenseIssued = EventKind(
        "license.issued", "A license was granted.", facts: [.text("policy"), .text("key")], since: "0.1")
    /// A term was replaced by a later one.
    public static let licenseRenewed = EventKind(
        "license.renewed", "The term of a license was replaced by a later one.",
        facts: [.date("previousEnd"), .dateOrNever("newEnd")], since: "0.1")
    /// Policy, holder or term were edited.
    public static let licenseChanged = EventKind(
        "license.changed", "Policy, holder or term of a license were edited.",
        facts: [
            .text("previousPolicy").optional, .text("policy").optional, .text("holder").optional,
            .dateOrNever("expiresAt").optional,
        ], since: "0.1")
    /// The key was replaced; the old one is dead.
    public static let licenseRekeyed = EventKind(
        "license.rekeyed", "The key of a license was replaced; the old one is dead.",
        facts: [.text("previousKey"), .text("key")],
        since: "0.1")
    /// Stopped, reversibly.
    public static let licenseSuspended = EventKind(
        "license.suspended", "A license was stopped, reversibly.", facts: [.text("previousState")], since: "0.1")
    /// No longer stopped.
    public static let licenseReinstated = EventKind(
        "license.reinstated", "A license is no longer stopped.", facts: [.text("previousState")], since: "0.1")
    /// Stopped, finally.
    public static let licenseRevoked = EventKind(
        "license.revoked", "A license was stopped, finally.", facts: [.text("previousState")], since: "0.1")
    /// Given back by its holder.
    public static let licenseReturned = EventKind(
        "license.returned", "A license was given back by its holder.", facts: [.text("previousState")], since: "0.1")
    /// The term ended, and the server wrote it down.
    public static let licenseExpired = EventKind(
        "license.expired", "The term of a license ended, and the server wrote it down.", facts: [.date("expiredAt")],
        since: "0.1")
    /// A device took a seat.
    public static let activationCreated = EventKind(
        "activation.created", "A device took a place.", facts: [.text("instanceName").optional], since: "0.1")
    /// A seat was given back.
    public static let activationReleased = EventKind(
        "activation.released", "A place was given back.",
        facts: [.text("releasedBy").optional, .text("askedFrom").optional, .text("reference").optional], since: "0.1")
    /// A release was taken back.
    public static let activationRestored = EventKind(
        "activation.restored", "A device got its place again: its release was taken back.", since: "0.1")
    /// The operator made a one-time link to a license's page.
    public static let licenseLinkMade = EventKind(
        "license.link_made", "The operator made a one-time link to a license's page.", facts: [.date("expiresAt")],
        since: "0.1")
    /// A holder opened a license's page with a one-time link.
    public static let licenseSessionOpened = EventKind(
        "license.session_opened", "A holder opened a license's page with a one-time link.", facts: [.text("reference")],
        since: "0.1")
    /// A holder closed a license's page.
    public static let licenseSessionClosed = EventKind(
        "license.session_closed", "A holder closed a license's page.", facts: [.text("reference")], since: "0.1")

    /// The kinds of this family.
    public static let licensing: [EventKind] = [
        .licenseIssued, .licenseRenewed, .licenseChanged, .licenseRekeyed, .licenseSuspended, .licenseReinstated,
        .licenseRevoked, .licenseReturned, .licenseExpired, .activationCreated, .activationReleased,
        .activationRestored, .licenseLinkMade, .licenseSessionOpened, .licenseSessionClosed,
    ]
}
