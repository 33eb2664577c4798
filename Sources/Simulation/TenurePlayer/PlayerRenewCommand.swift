import FoundationEssentials
import TenureClient
import TenureCommandLine
import TenureContentClient
import TenureCore
import TenureFormats

enum PlayerRenewCommand {
    private static let all = Argument.flag("all", "Renew all contents, due or not.")
    private static let expired = Argument.flag("expired", "Renew contents that no longer play.")
    private static let through: Argument<String?> = .optional(
        "needed-through", "DATE", "Renew contents that would stop playing before this date.", as: .text)
    private static let confirmed = Argument.flag(
        "confirmed", "The user has confirmed, if the vendor requires that before a renewal.")
    private static let dry = Argument.flag("dry-run", "Show which contents would be renewed, without renewing them.")

    static let command = Command(
        "renew", "Renews licenses, and reports each result.",
        discussion: """
            By default, renews what is due. An interrupted renewal continues where it stopped. With --json, each \
            content is a line and the last line is the report. Exits with 1 if any was not renewed. Contents for \
            which the vendor requires the user's confirmation are skipped without --confirmed.
            """,
        example: "tenure player renew phone --all",
        arguments: [
            PlayerOptions.folder, PlayerOptions.contents, all, expired, through, confirmed, dry, SharedOptions.json,
        ],
        output: PlayerOutputs.renewal
    ) { arguments, console in
        let player = try OpenPlayer(arguments)
        let scope = try scope(arguments)
        let asJSON = arguments[SharedOptions.json]
        if arguments[dry] { return forecast(await player.library.forecast(scope), console, asJSON: asJSON) }
        var report: RenewalReport?
        for await event in player.library.renew(scope, confirmed: arguments[confirmed]) {
            switch event {
            case .progress(let item):
                let progress = "\(item.index + 1)/\(item.total)"
                let why = item.explanation.map { "  \($0.message.withLocalDates.printable)" } ?? ""
                console.answer("\(progress)  \(item.content)  \(item.outcome.rawValue)\(why)", asJSON: asJSON) {
                    $0.progress(item)
                }
            case .finished(let whole): report = whole
            }
        }
        guard let report else { return .failed }
        let counts = RenewalOutcome.allCases.map { ($0, report.count($0)) }.filter { $0.1 > 0 }
        let words = counts.map { "\($0.1) \($0.0.rawValue)" }.joined(separator: ", ")
        if !asJSON, !report.unconfirmed.isEmpty {
            console.answer("The user must confirm first. Once they have agreed, renew with --confirmed.")
        }
        console.answer(counts.isEmpty ? "nothing to renew" : words, asJSON: asJSON) { body in
            body.object("report") { report in
                for (outcome, count) in counts { report.member(outcome.rawValue, count) }
            }
        }
        return report.items.allSatisfy { $0.recovery == nil } ? .done : .failed
    }

    private static func scope(_ arguments: Parsed) throws(UsageError) -> RenewalScope {
        let named = arguments[PlayerOptions.contents]
        if !named.isEmpty { return .items(named) }
        if arguments[all] { return .all }
        if arguments[expired] { return .expired }
        guard let text = arguments[through] else { return .due(within: 0) }
        guard let time = Timestamp(text: text) else {
            throw UsageError("--needed-through: enter a date such as 2027-01-31 or 2027-01-31T12:00:00Z")
        }
        return .neededThrough(Date(time))
    }

    private static func forecast(_ forecast: RenewalForecast, _ console: Console, asJSON: Bool) -> ExitCode {
        if asJSON {
            console.answer { body in
                body.member("asked", forecast.requested)
                body.member("due", forecast.due)
                body.member("unconfirmed", forecast.unconfirmed)
                body.array("refused") { list in
                    for item in forecast.refused { list.object { $0.refused(item.content, item.explanation) } }
                }
            }
            return .done
        }
        console.answer("\(forecast.requested.count) would be requested, \(forecast.due.count) due")
        console.answer(
            lines: forecast.refused.map { "\($0.content)  would be refused: \($0.explanation.message.withLocalDates)" })
        return .done
    }
}

extension JSONObjectWriter {
    fileprivate mutating func progress(_ item: RenewalProgress) {
        member("index", item.index)
        member("total", item.total)
        member("content", item.content)
        member("outcome", item.outcome.rawValue)
        member("recovery", item.recovery?.rawValue)
        choices(item.choices)
        member("reasons", item.explanation?.reasons.map(\.code) ?? [])
    }
}
