// Reasons for refusals that several features share.

extension Reason.Kind {
    /// No license of this product has this key or id.
    public static let licenseUnknown = Reason.Kind(
        "license_unknown", "This product has no license with that key.",
        cure: "Check the key for typing errors, and make sure that it's for this product.", since: "0.1")
    /// The license has been suspended.
    public static let licenseSuspended = Reason.Kind(
        "license_suspended", "The license is suspended.",
        cure: "Ask the vendor to reinstate it. Your devices stay activated.",
        vendorCure:
            "Reinstate it with `tenure license reinstate {license}`. Its devices stay activated and work again immediately.",
        facts: [.text("vendorReason").optional, .text("cause").optional], since: "0.1")
    /// The license has been revoked for good.
    public static let licenseRevoked = Reason.Kind(
        "license_revoked", "The license has been revoked.",
        cure: "Ask the vendor why. A revoked license can't be restored, but the vendor can issue a new one.",
        vendorCure:
            "It can't be restored. To let the customer continue, issue a new license with `tenure license issue`.",
        facts: [.text("vendorReason").optional, .text("cause").optional], since: "0.1")
    /// The license has been returned by its holder.
    public static let licenseReturned = Reason.Kind(
        "license_returned", "The license has been returned.",
        cure: "Use another license key. A returned license can't be restored.",
        vendorCure:
            "It can't be restored. To let the customer continue, issue a new license with `tenure license issue`.",
        since: "0.1")
    /// The new end lies after the last date that can be written.
    public static let endTooLate = Reason.Kind(
        "end_too_late", "The new end would be later than 31 December 9999.",
        cure: "Choose an earlier end, or let it never end.", since: "0.1")
    /// Another license of the product has a key with the same normal form.
    public static let keyTaken = Reason.Kind(
        "key_taken", "Another license of this product already has that key.",
        cure: "Choose another key. Keys that differ only in case or white space count as the same.", since: "0.1")
    /// The policy doesn't let holders release devices.
    public static let selfReleaseOff = Reason.Kind(
        "self_release_off", "You can't release devices of this license from another device.",
        cure: "Deactivate the license on the device itself, or ask the vendor to release the device.",
        vendorCure: "You can release the device yourself; the policy limits only its holder.", since: "0.1")
    /// The last release by the holder was too recent.
    public static let selfReleaseCooldown = Reason.Kind(
        "self_release_cooldown", "A device was released recently, so you can't release another one yet.",
        cure: "Try again later, or ask the vendor to release the device.",
        vendorCure: "You can release the device yourself; the policy limits only its holder.", since: "0.1")
    /// The holder has used all the releases of a year.
    public static let selfReleaseUsedUp = Reason.Kind(
        "self_release_used_up", "You've reached the yearly limit of device releases.",
        cure: "Try again later, or ask the vendor to release the device.",
        vendorCure: "You can release the device yourself; the policy limits only its holder.",
        facts: [.number("perYear")], since: "0.1")
    /// The account's device limit or its limit for different devices has been reached.
    public static let deviceLimitReached = Reason.Kind(
        "device_limit_reached", "The device limit has been reached.",
        cure: "Release a device that you no longer use, then try again.",
        facts: [.number("devices"), .number("deviceLimit"), .number("deviceChanges").optional], since: "0.1")
}

extension Reason {
    package static let endTooLate = Reason(.endTooLate)

    package static let licenseRevoked = Reason(.licenseRevoked)

    package static let licenseReturned = Reason(.licenseReturned)

    package static let licenseSuspended = Reason(.licenseSuspended)

    package static let selfReleaseOff = Reason(.selfReleaseOff)

    package static func selfReleaseCooldown(_ until: Timestamp) -> Reason {
        Reason(
            .selfReleaseCooldown, message: "A device was released recently. You can release the next one on \(until).",
            changesAt: until)
    }

    package static func selfReleaseUsedUp(_ rule: SelfRelease, until: Timestamp) -> Reason {
        Reason(
            .selfReleaseUsedUp,
            message:
                "You've reached the yearly limit of device releases (\(rule.perYear)). You can release the next one on \(until).",
            evidence: [Evidence("perYear", .number(Int64(rule.perYear)))], changesAt: until)
    }
}
