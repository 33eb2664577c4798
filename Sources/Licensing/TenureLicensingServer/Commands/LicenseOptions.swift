import TenureCommandLine
import TenureCore
import TenureLicensing

/// The options with which an operator gives a reason for an act.
enum StatedReasonOptions {
    private static let text: Argument<String?> = .optional(
        "reason", "TEXT", "Why; kept with the event, and shown by `tenure license explain`.",
        as: ArgumentReading<String>.shortText)
    private static let tell = Argument.flag(
        "tell", "Show the reason to the holder too. It isn't translated, so write it in the holder's language.")

    static let all: [any DeclaredArgument] = [text, tell]

    /// The help text for commands that can be repeated with another reason.
    static let repeating = "Repeating the command changes nothing, except that a new --reason replaces the earlier one."

    /// The help text for commands with these options.
    static let discussion =
        "A reason is for the vendor's own staff; with --tell, the license's page and the app get it too."

    /// Reads the reason; `nil` if none is given. Throws if it's empty, or if `--tell` is given without one.
    static func reason(_ arguments: Parsed) throws(UsageError) -> StatedReason? {
        guard let text = arguments[text] else {
            if arguments[tell] { throw UsageError("give --reason TEXT with --tell") }
            return nil
        }
        if text.isEmpty { throw UsageError("give a text with --reason") }
        return StatedReason(text, isTold: arguments[tell])
    }
}

extension SharedOptions {
    static let alreadyEnded = Argument.flag(
        "already-ended", "Accept an end in the past; the license is then expired.")
}

extension ArgumentReading where Value == String {
    /// Reads a text with the same limits as a text field of a license.
    static var shortText: ArgumentReading { ArgumentReading(read: LicenseField.TextFormat.line.option) }
}

extension [LicenseTerms.FieldChange] {
    /// Throws ``CommandError`` for an end in the past unless the user confirms it, because a mistyped year ends a
    /// license.
    func checkEnd(isMeant: Bool, at now: Timestamp) throws(CommandError) {
        for case .end(.at(let end)) in self where end <= now && !isMeant {
            throw CommandError(
                "\(end.local) is in the past. Choose a later end, or add --already-ended to expire the license.")
        }
    }
}
