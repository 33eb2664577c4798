import TenureCommandLine
import TenureLicensing
import TenureServerKit

extension TrialCommands {
    private static let reason: Argument<String?> = .optional(
        "reason", "TEXT", "Why; kept with the event.", as: ArgumentReading<String>.shortText)
    private static let isSure = Argument.flag("yes", "Don't ask before the trial starts again.")

    static func reset(_ installations: Installations) -> Command {
        Command(
            "reset", "Starts a device's trial again, for its whole length.",
            discussion: """
                The trial starts now. Days that were added to it don't count any more. The app learns of it at its \
                next check: daily while the trial runs, or when its user starts the trial again or checks for a \
                license. Other devices aren't affected. Repeating the command starts the trial again, so it asks first; without a terminal, give --yes.
                """,
            example: "tenure trial reset 3f2b-7c1e-90ab --reason 'crashed all week' --tenant acme --product notes",
            arguments: [device, reason, isSure] + filter + [RepeatableRequest.option, SharedOptions.json]
                + SharedOptions.installation,
            output: ShownTrial.document.output(optional: [("repeated", .boolean)])
        ) { arguments, console in
            let reason = arguments[reason].map { StatedReason($0) }
            if reason?.text.isEmpty == true { throw UsageError("give a text with --reason") }
            return try await change(
                installations, .reset(because: reason), once: ("trial reset", [self.reason]), arguments, console
            ) { trial in
                if arguments[isSure] { return }
                try console.confirm(
                    "Start the trial of \(trial.product) that began on \(trial.start.local) again?",
                    orElse: "Nothing was reset.")
            }
        }
    }
}
