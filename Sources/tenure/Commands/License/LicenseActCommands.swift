import TenureLicensing
import TenureMarketplace
import TenureCommandLine
import TenureCore
import TenureLicensingServer
import TenureServerKit

/// The commands whose action needs nothing but a license.
enum LicenseActCommands {
    static let suspend = command(
        .suspend, .suspend, "suspend", "Stops a license, reversibly.",
        "Devices are told at their next refresh. Activations are kept. Repeating it changes nothing.")

    static let reinstate = command(
        .reinstate, .reinstate, "reinstate", "Ends a suspension.",
        "The license is again what its term makes of it. Repeating it changes nothing.")

    static let revoke = command(
        .revoke, .revoke, "revoke", "Stops a license, finally.",
        "Devices are told at their next refresh. It cannot be undone. Repeating it changes nothing.")

    static let giveBack = command(
        .giveBack, .giveBack, "return", "Takes a license back from its holder, finally.",
        "It cannot be undone. Repeating it changes nothing.")

    private static func command(
        _ act: OperatorAct, _ appAct: AppLicenseAct, _ name: String, _ abstract: String, _ discussion: String
    ) -> Command {
        Command(
            name, abstract, discussion: discussion + " " + ofApps,
            example: "tenure license \(name) NOTE-PRO0-0000-0001",
            arguments: LicenseReference.arguments + [SharedOptions.json]
        ) { arguments, console in
            try await LicenseAct.perform(act, orOnApp: appAct, arguments, console: console)
        }
    }

    private static let ofApps = "A device learns of its app's license when it next asks for renewal."
}

/// The command `tenure license renew`.
enum LicenseRenewCommand {
    private static let days: Argument<Int?> = .optional("days", "N", "Add so many days.", as: .int(in: 1...36_500))
    private static let until: Argument<Timestamp?> = .optional(
        "until", "DATE", "Renew to this moment.",
        as: ArgumentReading { text throws(UsageError) in
            guard let moment = Timestamp(text: text) else { throw UsageError("write a date such as 2027-01-31") }
            return moment
        })

    static let command = Command(
        "renew", "Replaces a license's term by a later one.",
        discussion: """
            Without --days or --until the policy's duration is added. Days count from the end of a running term, so an \
            early renewal loses nothing; a license that has expired starts again now. A suspended license is renewed and \
            stays suspended.
            """,
        example: "tenure license renew NOTE-PRO0-0000-0001 --days 30",
        arguments: LicenseReference.arguments + [days, until, SharedOptions.json]
    ) { arguments, console in
        if arguments[days] != nil, arguments[until] != nil { throw UsageError("give --days or --until, not both") }
        let length: RenewalLength =
            if let count = arguments[days] { .days(count) } else if let moment = arguments[until] {
                .until(moment)
            } else {
                .policy
            }
        return try await LicenseAct.perform(arguments, console: console) { _, _, _ in .init(act: .renew(length)) }
    }
}

/// The command `tenure license change`.
enum LicenseChangeCommand {
    private static let policy: Argument<PolicyID?> = .optional("policy", "POLICY", "The policy to follow.", as: .slug())
    private static let holder: Argument<String?> = .optional(
        "holder", "TEXT", "The holder; - for nobody.", as: .holder)
    private static let expires: Argument<TermEnd?> = .optional(
        "expires-at", "DATE", "The end of the term, or never.", as: .end)

    static let command = Command(
        "change", "Edits a license's policy, holder or end.",
        discussion: """
            Devices learn of it at their next refresh. An end in the past, with --already-ended, expires the license at \
            once.
            """,
        example: "tenure license change NOTE-PRO0-0000-0001 --policy team --expires-at never",
        arguments: LicenseReference.arguments + [
            policy, holder, expires, SharedOptions.alreadyEnded, SharedOptions.json,
        ]
    ) { arguments, console in
        let edit = LicenseEdit(
            policy: arguments[policy], holder: arguments[holder].map { $0 == "-" ? "" : $0 }, end: arguments[expires])
        if edit == LicenseEdit() { throw UsageError("give at least one of --policy, --holder and --expires-at") }
        let isMeant = arguments[SharedOptions.alreadyEnded]
        return try await LicenseAct.perform(arguments, console: console) { _, _, now in
            try edit.end?.check(isMeant: isMeant, at: now)
            return .init(act: .change(edit))
        }
    }
}

/// The command `tenure license rekey`.
enum LicenseRekeyCommand {
    static let command = Command(
        "rekey", "Gives a license a new key; the old one is dead.",
        discussion: "Term, holder, devices and history stay. The new key is shown once, here.",
        example: "tenure license rekey NOTE-PRO0-0000-0001",
        arguments: LicenseReference.arguments + [SharedOptions.json]
    ) { arguments, console in
        try await LicenseAct.perform(arguments, console: console) { license, catalog, _ in
            guard let key = catalog.current.mintKey(for: license.product) else {
                throw CommandError(
                    "The product \(license.product) is gone from the catalog. `tenure apply FILE` puts it back.")
            }
            return LicenseAct.Plan(act: .rekey(key.key), newKey: key.text)
        }
    }
}
