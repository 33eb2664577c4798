import Foundation
import TenureClient
import TenureCommandLine
import TenureContentClient
import TenureCore
import TenureFormats

/// The command `tenure player renew`.
enum PlayerRenewCommand {
    private static let all = Argument.flag("all", "All that is kept, due or not.")
    private static let expired = Argument.flag("expired", "What does not play.")
    private static let through: Argument<String?> = .optional(
        "needed-through", "DATE", "What would stop before then.", as: .text)
    private static let confirmed = Argument.flag(
        "confirmed", "The person was asked, where the vendor wants that before a renewal.")
    private static let dry = Argument.flag("dry-run", "Tells what would be asked about, and asks nobody.")

    static let command = Command(
        "renew", "Renews licenses, and tells what became of each.",
        discussion: """
            Without a choice, what is due. What was cut off goes on where it stopped. With --json each content is a line, \
            and the last is the report. Ends with 1 when any was not renewed. What the vendor wants the person to be asked \
            about first is left without --confirmed.
            """,
        example: "tenure player renew phone --all",
        arguments: [
            PlayerOptions.folder, PlayerOptions.contents, all, expired, through, confirmed, dry, SharedOptions.json,
        ]
    ) { arguments, console in
        let player = try OpenPlayer(arguments)
        let scope = try scope(arguments)
        let asJSON = arguments[SharedOptions.json]
        if arguments[dry] { return forecast(await player.library.forecast(scope), console, asJSON: asJSON) }
        var report: RenewalReport?
        for await event in player.library.renew(scope, confirmed: arguments[confirmed]) {
            switch event {
            case .progress(let one):
                let place = "\(one.index + 1)/\(one.total)"
                let why = one.explanation.map { "  \($0.message.printable)" } ?? ""
                console.answer("\(place)  \(one.content)  \(one.outcome.rawValue)\(why)", asJSON: asJSON) {
                    $0.progress(one)
                }
            case .finished(let whole): report = whole
            }
        }
        guard let report else { return .failed }
        let counts = RenewalOutcome.allCases.map { ($0, report.count($0)) }.filter { $0.1 > 0 }
        let words = counts.map { "\($0.1) \($0.0.rawValue)" }.joined(separator: ", ")
        if !asJSON, !report.unconfirmed.isEmpty {
            console.answer("The person is to be asked first; renew with --confirmed once they agreed.")
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
        guard let moment = Timestamp(text: text) else {
            throw UsageError("--needed-through: write a date such as 2027-01-31 or 2027-01-31T12:00:00Z")
        }
        return .neededThrough(Date(moment))
    }

    private static func forecast(_ forecast: RenewalForecast, _ console: Console, asJSON: Bool) -> ExitCode {
        if asJSON {
            console.answer { body in
                body.member("asked", forecast.asked)
                body.member("due", forecast.due)
                body.member("unconfirmed", forecast.unconfirmed)
                body.array("refused") { list in
                    for one in forecast.refused { list.object { $0.refused(one.content, one.explanation) } }
                }
            }
            return .done
        }
        console.answer("\(forecast.asked.count) to ask about, \(forecast.due.count) due")
        console.answer(lines: forecast.refused.map { "\($0.content)  would be refused: \($0.explanation.message)" })
        return .done
    }
}

extension JSONObjectWriter {
    fileprivate mutating func progress(_ one: RenewalProgress) {
        member("index", one.index)
        member("total", one.total)
        member("content", one.content)
        member("outcome", one.outcome.rawValue)
        member("recovery", one.recovery?.rawValue)
        choices(one.choices)
        member("reasons", one.explanation?.reasons.map(\.code) ?? [])
    }
}
