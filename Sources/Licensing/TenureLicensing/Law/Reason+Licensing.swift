public import TenureCore

extension Reason.Kind {
    /// The license's key has been replaced; this key is no longer valid.
    public static let licenseRekeyed = Reason.Kind(
        "license_rekeyed", "The license has a new key, so this one no longer works.",
        cure: "Activate with the new key. If you don't have it, ask the vendor.", since: "0.1")
    /// The license's term and its grace have ended.
    public static let licenseExpired = Reason.Kind(
        "license_expired", "The license has expired, and its grace period has ended.",
        cure: "Renew the license. Its devices stay activated and work again immediately.",
        vendorCure:
            "Renew it with `tenure license renew {license}`. Its devices stay activated and work again immediately.",
        facts: [.date("expiredAt"), .date("graceEndedAt").optional], since: "0.1")
    /// The license's term has ended, and its grace period is running.
    public static let licenseInGrace = Reason.Kind(
        "license_in_grace", "The license has expired, and it still works for a grace period.",
        cure: "Renew the license before the grace period ends.",
        vendorCure:
            "Renew it with `tenure license renew {license}` before the grace period ends. Its devices notice nothing.",
        facts: [.date("expiredAt"), .date("graceEndsAt")], since: "0.1")
    /// The license stays suspended until it's reinstated; its term keeps running.
    public static let licenseStaysSuspended = Reason.Kind(
        "license_stays_suspended", "The license stays suspended until it's reinstated. Its term keeps running.",
        cure: "Ask the vendor to reinstate it.",
        vendorCure: "A reinstatement doesn't extend the term; `tenure license renew {license}` does.",
        facts: [.date("expiresAt").optional, .date("graceEndsAt").optional], since: "0.1")
    /// The activation limit or the limit for different devices has been reached.
    public static let activationLimitReached = Reason.Kind(
        "activation_limit_reached", "All activations of this license are in use.",
        cure: "Deactivate the license on a device that you no longer use, or ask the vendor for a higher limit.",
        vendorCure: """
            Release a device with `tenure activation release {license} DEVICE`, or raise the limit with `tenure license \
            change {license} --activation-limit N`.
            """,
        facts: [
            .number("activations"), .number("activationLimit"), .number("devices").optional,
            .number("deviceChanges").optional,
        ], since: "0.1")
    /// The license isn't active on this device: it was released or never activated.
    public static let activationReleased = Reason.Kind(
        "activation_released", "The license isn't activated on this device.",
        cure: "Activate the license key on this device again.",
        facts: [.date("releasedAt").optional, .text("vendorReason").optional], since: "0.1")
    /// The activation belongs to another device: it was copied, or the hardware changed.
    public static let activationOtherDevice = Reason.Kind(
        "activation_other_device", "This activation belongs to another device.",
        cure: "Activate the license key on this device.", since: "0.1")
    /// The term hasn't ended yet.
    public static let termNotOver = Reason.Kind(
        "term_not_over", "The license hasn't expired yet.",
        cure: "No action is needed. To end the license now, revoke or suspend it.",
        facts: [.date("expiresAt").optional],
        since: "0.1")
    /// The license is perpetual, so it can't be renewed.
    public static let termPerpetual = Reason.Kind(
        "term_perpetual", "The license never expires, so it can't be renewed.",
        cure: "No action is needed. To set an expiration date, use `tenure license change --expires-at`.", since: "0.1")
    /// The new end isn't later than both the current end and now.
    public static let renewalNotLater = Reason.Kind(
        "renewal_not_later", "The new expiration date must be in the future and later than the current one.",
        cure: "Choose a later date. To shorten the term, use `tenure license change --expires-at`.",
        facts: [.date("expiresAt"), .date("proposedEnd")], since: "0.1")
    /// The holder released this device from another one or on the license's page.
    public static let activationReleasedByHolder = Reason.Kind(
        "activation_released_by_holder", "This device was released on the license's page or from another device.",
        cure:
            "Activate the license key here again, or ask the vendor to restore this device.",
        vendorCure: "Restore the device with `tenure activation restore ACTIVATION`, or let it activate again.",
        facts: [.date("releasedAt").optional], since: "0.1")
    /// The license belongs to this holder already.
    public static let holderUnchanged = Reason.Kind(
        "holder_unchanged", "This holder has the license already, so there is nothing to transfer.",
        cure: "Name another holder. For a new key, use `tenure license rekey`.", since: "0.1")
    /// All kinds of reasons about licenses and activations.
    public static let licensing: [Reason.Kind] = [
        .licenseUnknown, .licenseRekeyed, .licenseRevoked, .licenseReturned, .licenseSuspended, .licenseStaysSuspended,
        .licenseInGrace, .licenseExpired, .activationReleased,
        .activationReleasedByHolder, .activationOtherDevice, .activationLimitReached, .selfReleaseOff,
        .selfReleaseCooldown, .selfReleaseUsedUp, .termNotOver, .termPerpetual, .renewalNotLater, .endTooLate,
        .holderUnchanged,
        .keyTaken,
    ]
}

extension Reason {
    /// No license of this product has this key or id.
    ///
    /// A key of another product gets the same reason, so that the response doesn't reveal that the key exists.
    public static let licenseUnknown = Reason(.licenseUnknown)

    /// The license's key has been replaced; this key is no longer valid.
    public static let licenseRekeyed = Reason(.licenseRekeyed)

    /// Creates the reason that the license isn't active on the device: it was released at this time or, if that's
    /// `nil`, never activated.
    static func activationReleased(at released: Timestamp?) -> Reason {
        Reason(.activationReleased, evidence: released.map { [Evidence("releasedAt", .date($0))] } ?? [])
    }

    /// The activation belongs to another device.
    static let activationOtherDevice = Reason(.activationOtherDevice)

    /// The license's term and its grace have ended.
    static func licenseExpired(term end: Timestamp, use useEnd: Timestamp, fallback: Bool) -> Reason {
        var evidence = [Evidence("expiredAt", .date(end))]
        if useEnd != end { evidence.append(Evidence("graceEndedAt", .date(useEnd))) }
        return Reason(
            .licenseExpired, message: "The license expired on \(end).",
            cure: fallback ? "Renew it to unlock everything. Until then, the app works in reduced mode." : nil,
            evidence: evidence)
    }

    /// The license's term has ended, and it can be used until the end of its grace period.
    static func licenseInGrace(term end: Timestamp, until useEnd: Timestamp) -> Reason {
        Reason(
            .licenseInGrace,
            message: "The license expired on \(end). It's in its grace period and works until \(useEnd).",
            evidence: [Evidence("expiredAt", .date(end)), Evidence("graceEndsAt", .date(useEnd))], changesAt: useEnd)
    }

    /// The license stays suspended until it's reinstated, whatever happens to its term.
    ///
    /// - Parameter reasons: Why it's suspended; they name what happened to the payment if an order suspended it.
    static func licenseStaysSuspended(
        _ terms: LicenseTerms, _ useEnd: Timestamp?, because reasons: [Reason], _ now: Timestamp
    ) -> Reason {
        let stays =
            reasons.contains { $0.stopCause == .dispute }
            ? "The license stays suspended until the dispute is won or it's reinstated."
            : "The license stays suspended until it's reinstated."
        guard terms.unstarted == nil else {
            return Reason(.licenseStaysSuspended, message: stays + " Its term hasn't started yet.")
        }
        let term = terms.term
        guard let end = term.end, let useEnd else {
            return Reason(.licenseStaysSuspended, message: stays + " Its term never ends.")
        }
        let grace = useEnd == end ? "" : ", and its grace period on \(useEnd)"
        let message =
            if now >= useEnd { stays + " Its term has ended, so it must be renewed as well." } else if now >= end {
                stays + " Its term has ended; its grace period keeps running and ends on \(useEnd)."
            } else { stays + " Its term keeps running and ends on \(end)\(grace)." }
        return Reason(
            .licenseStaysSuspended, message: message,
            evidence: [Evidence("expiresAt", .date(end))]
                + (useEnd == end ? [] : [Evidence("graceEndsAt", .date(useEnd))]),
            changesAt: [end, useEnd].first { $0 > now })
    }

    package static func activationLimitReached(activeCount: Int, of limit: Int) -> Reason {
        let used =
            limit == 1
            ? "The only activation of this license is in use."
            : "All \(limit) activations of this license are in use."
        return Reason(
            .activationLimitReached,
            // More devices than the limit: it was lowered, or a restore carried devices over.
            message: activeCount > limit
                ? "This license is active on \(activeCount) devices, and allows \(limit). Release \(activeCount - limit + 1)."
                : used,
            evidence: [
                Evidence("activations", .number(Int64(activeCount))),
                Evidence("activationLimit", .number(Int64(limit))),
            ])
    }

    /// The activation limit isn't reached, but too many different devices used the license recently.
    static func devicesUsedUp(
        _ devices: Int, activeCount: Int, of limit: Int, changes: Int, until: Timestamp?
    ) -> Reason {
        let next = until.map { "; you can activate another one on \($0)" } ?? ""
        return Reason(
            .activationLimitReached,
            message:
                "This license was used on \(devices) different devices in the last \(DeviceAllowance.countedDays) days\(next).",
            cure: "Use one of those devices, wait, or ask the vendor.",
            evidence: [
                Evidence("activations", .number(Int64(activeCount))),
                Evidence("activationLimit", .number(Int64(limit))),
                Evidence("devices", .number(Int64(devices))), Evidence("deviceChanges", .number(Int64(changes))),
            ], changesAt: until)
    }

    /// The term hasn't ended yet, so its end can't be recorded.
    static func termNotOver(end: Timestamp?) -> Reason {
        Reason(
            .termNotOver, message: end.map { "The license expires on \($0)." } ?? "The license never expires.",
            evidence: end.map { [Evidence("expiresAt", .date($0))] } ?? [], changesAt: end)
    }

    /// The license is perpetual, so it can't be renewed.
    static let termPerpetual = Reason(.termPerpetual)

    /// The license belongs to this holder already.
    static let holderUnchanged = Reason(.holderUnchanged)

    /// The new end isn't later than both the current end and now.
    static func renewalNotLater(end: Timestamp, proposed: Timestamp) -> Reason {
        Reason(
            .renewalNotLater,
            message: "The new end date, \(proposed), must be in the future and later than the current one, \(end).",
            evidence: [Evidence("expiresAt", .date(end)), Evidence("proposedEnd", .date(proposed))])
    }

    /// Another license of the product has a key with the same normal form.
    public static func keyTaken(masked: String) -> Reason {
        Reason(.keyTaken, message: "Another license of this product already has the key \(masked).")
    }

    /// The holder released this device from another one or on the license's page.
    static func activationReleasedByHolder(at released: Timestamp?) -> Reason {
        Reason(
            .activationReleasedByHolder,
            message: released.map {
                "This device was released on \($0), on the license's page or from another device."
            },
            evidence: released.map { [Evidence("releasedAt", .date($0))] } ?? [])
    }
}
