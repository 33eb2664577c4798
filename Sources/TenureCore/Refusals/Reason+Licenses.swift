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
}
