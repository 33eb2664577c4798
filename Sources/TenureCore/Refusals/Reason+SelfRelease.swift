extension ReasonCode {
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
