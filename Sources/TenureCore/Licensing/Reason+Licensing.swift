extension ReasonCode {
    /// No license of this product goes by that key or id.
    public static let licenseUnknown = ReasonCode("license_unknown")
    /// The operator stopped the license, reversibly.
    public static let licenseSuspended = ReasonCode("license_suspended")
    /// The operator stopped the license, finally.
    public static let licenseRevoked = ReasonCode("license_revoked")
    /// The holder gave the license back.
    public static let licenseReturned = ReasonCode("license_returned")
    /// The license's term has ended, and grace with it.
    public static let licenseExpired = ReasonCode("license_expired")
    /// Every seat is taken.
    public static let activationLimitReached = ReasonCode("activation_limit_reached")
    /// This device holds no seat of the license: it was released, or never taken.
    public static let activationReleased = ReasonCode("activation_released")
    /// The activation is another device's: it was copied, or the hardware changed.
    public static let activationOtherDevice = ReasonCode("activation_other_device")
    /// The term has not ended yet.
    public static let termNotOver = ReasonCode("term_not_over")
    /// The license never ends, so there is nothing to renew.
    public static let termPerpetual = ReasonCode("term_perpetual")
    /// The new end is not later than the old one.
    public static let renewalNotLater = ReasonCode("renewal_not_later")
    /// The license names a policy that its product no longer has.
    public static let policyUnknown = ReasonCode("policy_unknown")
    /// Another license of the product has a key with the same normal form.
    public static let keyTaken = ReasonCode("key_taken")
    /// The holder released this device from another one, or on the license's page.
    public static let activationReleasedByHolder = ReasonCode("activation_released_by_holder")
    /// The policy does not let holders release devices.
    public static let selfReleaseOff = ReasonCode("self_release_off")
    /// The last release was too short ago.
    public static let selfReleaseCooldown = ReasonCode("self_release_cooldown")
    /// All releases of a year have been used.
    public static let selfReleaseUsedUp = ReasonCode("self_release_used_up")
}

extension Reason {
    /// No license of this product goes by what was presented. The same for a key of another product: it must not tell.
    public static let licenseUnknown = Reason(
        code: .licenseUnknown, message: "No license of this product goes by that key.",
        cure: "Check the key for typing errors, and that it belongs to this product.")

    /// The operator stopped the license, finally.
    static let licenseRevoked = Reason(
        code: .licenseRevoked, message: "License has been revoked",
        cure: "Ask the vendor why; a revoked license cannot come back, a new one can be issued.")

    /// The holder gave the license back.
    static let licenseReturned = Reason(
        code: .licenseReturned, message: "The license was given back by its holder.",
        cure: "Use another license key; a returned license cannot come back.")

    /// The operator stopped the license, reversibly.
    static let licenseSuspended = Reason(
        code: .licenseSuspended, message: "The license is suspended.",
        cure: "Ask the vendor to reinstate it; activated devices are kept.")

    /// The device holds no seat.
    static func activationReleased(at released: Timestamp?) -> Reason {
        Reason(
            code: .activationReleased, message: "This device is not active under the license.",
            cure: "Activate the license key on this device again.",
            evidence: released.map { [Evidence("releasedAt", .date($0))] } ?? [])
    }

    /// The seat was given to another device.
    static let activationOtherDevice = Reason(
        code: .activationOtherDevice, message: "This activation was given to another device.",
        cure: "Activate the license key on this device.")

    /// The term and its grace are over.
    static func licenseExpired(term end: Timestamp, use useEnd: Timestamp, fallback: Bool) -> Reason {
        var evidence = [Evidence("expiredAt", .date(end))]
        if useEnd != end { evidence.append(Evidence("graceEndedAt", .date(useEnd))) }
        return Reason(
            code: .licenseExpired, message: "The license expired on \(end).",
            cure: fallback
                ? "Renew it to unlock everything; until then the reduced mode stays available."
                : "Renew it; activated devices are kept and work again at once.",
            evidence: evidence)
    }

    /// Every seat is taken.
    static func activationLimitReached(taken: Int, of limit: Int) -> Reason {
        Reason(
            code: .activationLimitReached,
            message: "All \(limit) activations of this license are in use.",
            cure: "Deactivate it on a device that no longer needs it, or ask the vendor for a higher limit.",
            evidence: [
                Evidence("activations", .number(Int64(taken))), Evidence("activationLimit", .number(Int64(limit))),
            ])
    }

    /// The term is still running, so there is no expiry to write down.
    static func termNotOver(end: Timestamp?) -> Reason {
        Reason(
            code: .termNotOver,
            message: end.map { "The term runs until \($0)." } ?? "The license never expires.",
            cure: "Nothing needs to be done; to end it now, revoke or suspend it.",
            evidence: end.map { [Evidence("expiresAt", .date($0))] } ?? [], changesAt: end)
    }

    /// A perpetual license has no end to put off.
    static let termPerpetual = Reason(
        code: .termPerpetual, message: "The license never expires, so there is nothing to renew.",
        cure: "Nothing needs to be done; to give it an end, change it.")

    /// A renewal replaces a term by a later one, never by an earlier.
    static func renewalNotLater(end: Timestamp, proposed: Timestamp) -> Reason {
        Reason(
            code: .renewalNotLater,
            message: "The new end, \(proposed), is not later than the present one, \(end), and now.",
            cure: "Name a later end; to shorten a term, change the license.",
            evidence: [Evidence("expiresAt", .date(end)), Evidence("proposedEnd", .date(proposed))])
    }

    /// Two keys that read the same would be one key.
    public static func keyTaken(masked: String) -> Reason {
        Reason(
            code: .keyTaken, message: "Another license of this product has the key \(masked).",
            cure: "Choose another key; case and white space make no difference.")
    }

    /// The holder released this device from another one, or on the license's page.
    static func activationReleasedByHolder(at released: Timestamp?) -> Reason {
        Reason(
            code: .activationReleasedByHolder,
            message: "The holder of the license released this device"
                + (released.map { ", on \($0)." } ?? "."),
            cure: "Activate the license key here again if a place is free, or ask the vendor to restore this device.",
            evidence: released.map { [Evidence("releasedAt", .date($0))] } ?? [])
    }

    /// The policy does not let holders release devices.
    static let selfReleaseOff = Reason(
        code: .selfReleaseOff, message: "Devices of this license cannot be released from another device.",
        cure: "Deactivate it on the device itself, or ask the vendor to release that one.")

    /// The last release was too short ago.
    static func selfReleaseCooldown(_ until: Timestamp) -> Reason {
        Reason(
            code: .selfReleaseCooldown, message: "A device was released a short time ago; the next may be on \(until).",
            cure: "Wait, or ask the vendor to release the device.", changesAt: until)
    }

    /// All releases of a year have been used.
    static func selfReleaseUsedUp(_ rule: SelfRelease, until: Timestamp) -> Reason {
        Reason(
            code: .selfReleaseUsedUp,
            message: "All \(rule.perYear) releases of a year have been used; the next may be on \(until).",
            cure: "Wait, or ask the vendor to release the device.",
            evidence: [Evidence("perYear", .number(Int64(rule.perYear)))], changesAt: until)
    }
}
