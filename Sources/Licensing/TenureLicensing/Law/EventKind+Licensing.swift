public import TenureCore

extension EventKind {
    /// A license was issued.
    public static let licenseIssued = EventKind(
        "license.issued", "A license was granted.", facts: [.text("policy"), .text("key")], since: "0.1")
    /// A license's term started with its first activation.
    public static let licenseStarted = EventKind(
        "license.started", "The term of a license started, because it was activated for the first time.",
        facts: [.date("startedAt"), .date("expiresAt")], since: "0.1")
    /// A license's term was extended by a renewal.
    public static let licenseRenewed = EventKind(
        "license.renewed",
        "A license was renewed: its term ends later, or is longer once it starts.",
        facts: [
            .date("previousEnd").optional, .dateOrNever("newEnd").optional, .text("previousLength").optional,
            .text("newLength").optional,
        ], since: "0.1")
    /// A license's policy, holder, address for letters, order, activation limit or term was edited.
    public static let licenseChanged = EventKind(
        "license.changed",
        "The policy, holder, order, activation limit or term of a license was changed. `changed` names the fields that "
            + "may name a person: `holder`, `holderEmail` and `holderName`. With another holder or address, links and "
            + "sessions of the license's page ended.",
        facts: [
            .text("previousPolicy").optional, .text("policy").optional, .text("changed").optional,
            .text("order").optional, .text("activationLimit").optional, .dateOrNever("previousExpiresAt").optional,
            .text("previousLength").optional, .dateOrNever("expiresAt").optional,
        ], since: "0.1")
    /// A license's key was replaced.
    public static let licenseRekeyed = EventKind(
        "license.rekeyed",
        "The key of a license was replaced. Only devices activated before `keepsActivatedBefore` still work with the "
            + "old key. Links and sessions of the license's page ended.",
        facts: [.text("previousKey"), .text("key"), .date("keepsActivatedBefore").optional], since: "0.1")
    /// A license was passed to another holder, with a new key.
    public static let licenseTransferred = EventKind(
        "license.transferred",
        "A license was passed to another holder: it has a new key, its devices were released, and links and sessions "
            + "of its page ended.",
        facts: [.text("previousKey"), .text("key"), .number("devices")], since: "0.1")
    /// The full text of a license's key was shown again.
    public static let licenseKeyShown = EventKind(
        "license.key_shown", "The full text of a license's key was shown to an operator or a shop.",
        facts: [.text("key")], since: "0.2")
    /// A license was suspended; the operator can reinstate it.
    public static let licenseSuspended = EventKind(
        "license.suspended", "A license was suspended. It can be reinstated.",
        facts: [.text("previousState")] + [.text(causeFact).optional] + StatedReason.declared, since: "0.1")
    /// A suspended license was reinstated.
    public static let licenseReinstated = EventKind(
        "license.reinstated", "A suspended license was reinstated.", facts: [.text("previousState")], since: "0.1")
    /// A license was revoked for good.
    public static let licenseRevoked = EventKind(
        "license.revoked", "A license was revoked for good.",
        facts: [.text("previousState")] + [.text(causeFact).optional] + StatedReason.declared, since: "0.1")
    /// The reason for a license's suspension or revocation was given later, or replaced.
    public static let licenseReasonChanged = EventKind(
        "license.reason_changed", "The reason for a license's suspension or revocation was given later, or replaced.",
        facts: StatedReason.declared, since: "0.1")
    /// A license was returned by its holder.
    public static let licenseReturned = EventKind(
        "license.returned", "A license was returned by its holder.", facts: [.text("previousState")], since: "0.1")
    /// A license's term ended, and the server recorded it.
    public static let licenseExpired = EventKind(
        "license.expired", "The server recorded that a license's term has ended.", facts: [.date("expiredAt")],
        since: "0.1")
    /// A license was activated on a device.
    public static let activationCreated = EventKind(
        "activation.created", "A license was activated on a device.", since: "0.1")
    /// A device was released: by its own app, by the holder or by the operator.
    public static let activationReleased = EventKind(
        "activation.released", "A device was released.",
        facts: [
            .text("releasedBy").optional, .text("askedFrom").optional, .text("reference").optional,
        ] + StatedReason.declared, since: "0.1")
    /// A device's release was undone.
    public static let activationRestored = EventKind(
        "activation.restored", "The release of a device was undone; the license is active on it again.",
        since: "0.1")
    /// The operator stopped counting a license's released devices against its limit of different devices.
    public static let licenseDevicesForgiven = EventKind(
        "license.devices_forgiven", "The vendor ended the count of the devices that a license was released from.",
        facts: [.number("devices")], since: "0.1")
    /// The operator created a one-time link to a license's page.
    public static let licenseLinkMade = EventKind(
        "license.link_made", "The operator created a one-time link to a license's page.", facts: [.date("expiresAt")],
        since: "0.1")
    /// The operator ended the links to a license's page, and its sessions.
    public static let licenseLinksEnded = EventKind(
        "license.links_ended", "The operator ended the links to a license's page, and its sessions.",
        facts: [.number("links"), .number("sessions")], since: "0.1")
    /// A holder opened a license's page with a one-time link.
    public static let licenseSessionOpened = EventKind(
        "license.session_opened", "A holder opened a license's page with a one-time link.", facts: [.text("reference")],
        since: "0.1")
    /// A holder closed a license's page.
    public static let licenseSessionClosed = EventKind(
        "license.session_closed", "A holder closed a license's page.", facts: [.text("reference")], since: "0.1")

    /// All kinds of events about licenses and activations, for the list of event kinds.
    public static let licensing: [EventKind] = [
        .licenseIssued, .licenseStarted, .licenseRenewed, .licenseChanged, .licenseRekeyed,
        .licenseTransferred, .licenseKeyShown, .licenseSuspended,
        .licenseReinstated,
        .licenseRevoked, .licenseReasonChanged, .licenseReturned, .licenseExpired, .activationCreated,
        .activationReleased,
        .activationRestored, .licenseDevicesForgiven, .licenseLinkMade, .licenseLinksEnded, .licenseSessionOpened,
        .licenseSessionClosed,
    ]
}
