import TenureServerKit

enum LicensePageEnglish {
    static let words: [LicensePageText: Wording] = [
        .closedTitle: "Your license",
        .closedText: """
        You need a one-time link to open this page, which shows your license and its devices. Ask support for a \
        link.
        """,
        .linkShows: "It shows your license and its devices.",
        .matter: "license",
        .yourLicense: "Your license",
        .plan: "Plan",
        .key: "Key",
        .validUntil: "Valid until",
        .expiredOn: "Expired on",
        .worksUntil: "Works until",
        .neverExpires: "It never expires",
        .starts: "Starts",
        .startsWhenActivated: "when you first activate it",
        .startsByThen: "when you first activate it, or on {date}",
        .notActivated: "Not activated yet",
        .active: "Active",
        .inGrace: "In grace period",
        .expired: "Expired",
        .suspended: "Suspended",
        .revoked: "Revoked",
        .returned: "Returned",
        .testLicense: "Test license",
        .whyTitle: "Why it doesn’t work",
        .reducedTitle: "What still works",
        .graceTitle: "Your license has expired, but still works",
        .whatHelps: "What helps",
        .whenItChanges: "When this changes",
        .renew: "Renew",
        .statedReason: "{vendor}’s reason",
        .suspendedReason: "{vendor} has suspended your license.",
        .suspendedHelp: "Ask support for the reason. Your devices stay activated.",
        .settleHelp: "Contact support to settle this. Your devices stay activated.",
        .suspendedChange: "When {vendor} reinstates it. It then works again right away.",
        .refundSuspends: "{vendor} has suspended your license, because the payment was refunded.",
        .disputeSuspends: "{vendor} has suspended your license, because the payment is disputed.",
        .disputeChange: """
        When the dispute is decided in {vendor}’s favor, or {vendor} reinstates the license. It then works again \
        right away.
        """,
        .revokedReason: "{vendor} has revoked your license.",
        .revokedHelp: "Ask support for the reason. {vendor} can issue a new license.",
        .revokedChange: "It doesn’t: a revoked license can’t be restored.",
        .refundRevokes: "{vendor} has revoked your license, because the payment was refunded.",
        .returnedReason: "Your license has been returned.",
        .returnedHelp: "Use another license key, or ask support for a new license.",
        .expiredReason: "Your license expired on {date}.",
        .expiredAfterGraceReason: "Your license expired on {date}, and its grace period ended on {end}.",
        .graceReason: "It expired on {date} and keeps working until {end}.",
        .renewHelp: "Renew it. Your devices stay activated and work again right away.",
        .renewInTimeHelp: "Renew it before then, and nothing changes on your devices.",
        .askToRenewHelp: "Ask support to renew it. Your devices stay activated.",
        .reducedMode: "{product} still works in a reduced mode.",
        .renewChange: "As soon as it’s renewed.",
        .otherHelp: "Ask support.",
        .otherChange: "When {vendor} changes it.",
        .dateChange: "Automatically on {date}.",
        .noDevice: "Your license isn’t active on any device.",
        .noDeviceOfLimit: .counted(
            one: "Your license isn’t active on any device. You can use it on 1 device.",
            other: "Your license isn’t active on any device. You can use it on up to {count} devices."),
        .devicesInUse: .counted(one: "{used} of 1 device in use.", other: "{used} of {count} devices in use."),
        .devicesActive: .counted(
            one: "Your license is active on 1 device.", other: "Your license is active on {count} devices."),
        .devicesHidden: .counted(one: "1 more device isn’t shown.", other: "{count} more devices aren’t shown."),
        .limitReached: "Your license can’t be activated on another device at the moment.",
        .releaseToActivate: "Release a device that you no longer use to activate another one.",
        .askToRelease: "Ask support to release a device that you no longer use.",
        .devicesUsedUp: """
        Your license was used on {devices} different devices in the last {days} days. You can activate another \
        one from {date}.
        """,
        .unnamedDevice: "Unnamed device",
        .activeSince: "Active since",
        .releaseWarning: """
        Another device can be activated right away. {product} stops working on this one the next time it \
        connects. Only support can undo this.
        """,
        .releaseOff: "Only support can release devices of this license. Write to support and name the device.",
        .releaseStopped: "While the license doesn’t work, its devices can’t be changed here.",
        .noSuchDevice: "This license isn’t active on that device.",
    ]
}
