import TenureCommandLine
import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore

/// The commands whose action needs nothing but a license.
enum LicenseActCommands {
    static func suspend(_ installations: Installations) -> Command {
        command(
            installations, .suspend, .suspend, "suspend", "Suspends licenses until they are reinstated.",
            "Devices learn of it at their next refresh. Activations are kept. "
                + "\(StatedReasonOptions.repeating) \(StatedReasonOptions.discussion)",
            asking: .init(verb: "Suspend", done: "suspended"), isStated: true)
    }

    static func reinstate(_ installations: Installations) -> Command {
        command(
            installations, .reinstate, .reinstate, "reinstate", "Ends suspensions.",
            "A license's state again follows from its term. Repeating the command changes nothing.",
            asking: .init(verb: "Reinstate", done: "reinstated"))
    }

    static func revoke(_ installations: Installations) -> Command {
        command(
            installations, .revoke, .revoke, "revoke", "Revokes licenses permanently.",
            "Devices learn of it at their next refresh. This can't be undone. "
                + "\(StatedReasonOptions.repeating) \(StatedReasonOptions.discussion)",
            asking: .init(verb: "Revoke", done: "revoked", warning: "This can't be undone."), isStated: true)
    }

    private static func command(
        _ installations: Installations, _ act: OperatorAct, _ other: LicenseStateAction, _ name: String,
        _ abstract: String, _ discussion: String, asking question: LicenseSelection.Question, isStated: Bool = false
    ) -> Command {
        Command(
            name, abstract, discussion: "\(discussion) \(LicenseSelection.discussion) \(ofApps)",
            example: """
                tenure license \(name) NOTE-PRO0-0000-0001\(isStated ? " --reason 'chargeback of order 1001'" : "")
                tenure license \(name) --tenant acme --order 1001
                """,
            arguments: LicenseSelection.arguments + (isStated ? StatedReasonOptions.all : []) + [SharedOptions.json],
            output: output(installations)
        ) { arguments, console in
            let reason = isStated ? try StatedReasonOptions.reason(arguments) : nil
            return try await LicenseManyAct(act: act, question: question, other: other, reason: reason)
                .perform(installations, arguments, console)
        }
    }

    static func giveBack(_ installations: Installations) -> Command {
        Command(
            "return", "Records the return of a license, permanently.",
            discussion: "This can't be undone. Repeating the command changes nothing. " + ofApps,
            example: "tenure license return NOTE-PRO0-0000-0001",
            arguments: LicenseReference.certainArguments + [SharedOptions.json], output: output(installations)
        ) { arguments, console in
            try await LicenseAct.perform(
                installations, .giveBack, orOnOther: .giveBack, on: arguments[LicenseReference.certainArgument],
                arguments, console: console)
        }
    }

    /// The `--json` output of an act on a license: the license, whichever feature it belongs to.
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

    static func command(_ installations: Installations) -> Command {
        Command(
            "renew", "Extends the terms of licenses.",
            discussion: """
                Without --days or --until, the policy's duration is added. If the policy has no duration, the license \
                would never expire again, so the command asks first; without a terminal, give --yes. Days count from \
                the end of a running term, so an early renewal loses nothing. An expired license starts again now. A \
                suspended license stays suspended. \(LicenseSelection.discussion) Ctrl-C stops after the license being \
                renewed, and names the next one. A license that is renewed twice is extended twice, except with --until \
                or with the same --idempotency-key.
                """,
            example: """
                tenure license renew NOTE-PRO0-0000-0001 --days 30
                tenure license renew --tenant acme --order 1001 --idempotency-key invoice-2001
                """,
            arguments: LicenseSelection.arguments + [days, until, RepeatableRequest.option, SharedOptions.json],
            output: License.document.output(optional: [("repeated", .boolean)])
        ) { arguments, console in
            if arguments[days] != nil, arguments[until] != nil { throw UsageError("give --days or --until, not both") }
            let length: RenewalLength =
                if let count = arguments[days] { .days(count) } else if let time = arguments[until] {
                    .until(time)
                } else {
                    .policy
                }
            var many = LicenseManyAct(act: .renew(length), question: .init(verb: "Renew", done: "renewed")) {
                license, snapshot in
                guard try snapshot.policy(of: license).makesPerpetual(license, renewedBy: length) else { return nil }
                let cause = "because its policy \(license.policy) has no duration"
                return .init(
                    fact: "\(license.id) would never expire again, \(cause).",
                    cure: "Set an end with --days or --until.",
                    note: "\(license.id) never expires any more, \(cause)")
            }
            many.idempotentCommand = ("license renew", [days, until])
            return try await many.perform(installations, arguments, console)
        }
    }
}
