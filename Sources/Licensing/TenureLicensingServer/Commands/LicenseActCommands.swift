import TenureCommandLine
import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore

/// The commands whose action needs nothing but a license.
enum LicenseActCommands {
    static func suspend(_ installations: Installations) -> Command {
        command(
            installations,
            .suspend, .suspend, "suspend", "Suspends a license until it is reinstated.",
            "Devices learn of it at their next refresh. Activations are kept. "
                + "\(StatedReasonOptions.repeating) \(StatedReasonOptions.discussion)",
            isStated: true)
    }

    static func reinstate(_ installations: Installations) -> Command {
        command(
            installations,
            .reinstate, .reinstate, "reinstate", "Ends a suspension.",
            "The license's state again follows from its term. Repeating the command changes nothing.")
    }

    static func giveBack(_ installations: Installations) -> Command {
        command(
            installations,
            .giveBack, .giveBack, "return", "Records the return of a license, permanently.",
            "This can't be undone. Repeating the command changes nothing.")
    }

    private static func command(
        _ installations: Installations, _ act: OperatorAct, _ standing: LicenseStateAction, _ name: String,
        _ abstract: String,
        _ discussion: String, isStated: Bool = false
    ) -> Command {
        Command(
            name, abstract, discussion: discussion + " " + ofApps,
            example: "tenure license \(name) NOTE-PRO0-0000-0001",
            arguments: LicenseReference.certainArguments + (isStated ? StatedReasonOptions.all : []) + [
                SharedOptions.json
            ],
            output: output(installations)
        ) { arguments, console in
            try await LicenseAct.perform(
                installations, act, orOnOther: standing,
                because: isStated ? try StatedReasonOptions.reason(arguments) : nil,
                on: arguments[LicenseReference.certainArgument], arguments, console: console)
        }
    }

    /// What an act on a license prints with `--json`: the license, whatever feature keeps it.
    static func output(_ installations: Installations) -> Schema {
        installations.features.all.compactMap(\.licenses?.outputs).reduce(License.document.output()) {
            $0.or($1.changed)
        }
    }

    static let ofApps = "For an app license, the device learns of it at its next renewal request."
}

/// The command `tenure license renew`.
enum LicenseRenewCommand {
    private static let days: Argument<Int?> = .optional(
        "days", "N", "Extend the term by this many days.", as: .int(in: 1...36_500))
    private static let until: Argument<Timestamp?> = .optional(
        "until", "DATE", "Extend the term to this date; without a time, to 24:00 UTC of that day.", as: .end)

    private static let isSure = Argument.flag("yes", "Don't ask before making a license perpetual.")

    static func command(_ installations: Installations) -> Command {
        Command(
            "renew", "Extends a license's term.",
            discussion: """
                Without --days or --until, the policy's duration is added. If the policy has no duration, the license \
                would never expire again, so the command asks first; without a terminal, give --yes. Days count from \
                the end of a running term, so an early renewal loses nothing. An expired license starts again now. A \
                suspended license stays suspended.
                """,
            example: "tenure license renew NOTE-PRO0-0000-0001 --days 30",
            arguments: LicenseReference.certainArguments + [days, until, isSure, SharedOptions.json],
            output: License.document.output()
        ) { arguments, console in
            if arguments[days] != nil, arguments[until] != nil { throw UsageError("give --days or --until, not both") }
            let length: RenewalLength =
                if let count = arguments[days] { .days(count) } else if let moment = arguments[until] {
                    .until(moment)
                } else {
                    .policy
                }
            return try await LicenseAct.perform(installations, arguments, console: console) { license, catalog, _ in
                let act = OperatorAct.renew(length)
                let policy = try catalog.current.policy(of: license)
                guard policy.makesPerpetual(license, renewedBy: length) else {
                    return .init(act: act)
                }
                let cause = "because its policy \(license.policy) has no duration"
                if !arguments[isSure] {
                    let fact = "\(license.id) would never expire again, \(cause)."
                    try console.confirm(
                        fact, orElse: "Nothing was renewed: \(fact) Set an end with --days or --until.")
                }
                return .init(act: act, note: "\(license.id) never expires any more, \(cause)")
            }
        }
    }
}
