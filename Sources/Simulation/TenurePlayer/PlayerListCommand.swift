import FoundationEssentials
import TenureClient
import TenureCommandLine
import TenureContentClient
import TenureCore
import TenureFormats

enum PlayerListCommand {
    static let command = Command(
        "list", "Lists a player's contents: status, plays left, expiry and reasons.",
        example: "tenure player list phone", arguments: [PlayerOptions.folder, SharedOptions.json, SharedOptions.wide],
        output: PlayerOutputs.contents
    ) { arguments, console in
        let player = try OpenPlayer(arguments)
        let contents = await player.library.contents()
        if arguments[SharedOptions.json] {
            let now = player.now
            let waits = await player.library.waitsForNetwork
            let problem = await player.library.problem
            let unconfirmed = await player.library.awaitingConfirmation.map(\.id)
            console.answer { body in
                body.member("now", now.description)
                body.member("network", player.settings.network.rawValue)
                body.member("waitsForNetwork", waits)
                body.member("problem", problem?.reasons.first?.code)
                body.member("awaitingConfirmation", unconfirmed)
                body.array("contents") { list in
                    for content in contents { list.object { $0.content(content) } }
                }
                body.member("next", nil as String?)
            }
            return .done
        }
        var table = TextTable([
            .text("content"), .text("title"), .text("status"), .number("plays"), .number("play time"), .text("until"),
            .text("why"),
        ])
        for content in contents {
            table.add([
                content.id, content.title, content.status.rawValue, Self.left(content.playsLeft, of: content.plays),
                Self.left(content.secondsLeft, of: content.seconds),
                content.playableUntil.map { Timestamp($0).local } ?? (content.status.isPlayable ? "always" : "-"),
                content.explanation?.message.withLocalDates ?? Self.lastNo(of: content) ?? "",
            ])
        }
        console.answer(table, colours: contents.map(Self.colour))
        return .done
    }

    /// The most recent refusal and its date; `nil` if there isn't one. A later request might no longer be refused.
    private static func lastNo(of content: OfflineContent) -> String? {
        guard let no = content.lastNo, let at = content.lastNoAt else { return nil }
        return "on \(Timestamp(at).local): \(no.message.withLocalDates)"
    }

    private static func left(_ left: Int?, of whole: Int?) -> String {
        guard let left, let whole else { return "-" }
        return "\(left)/\(whole)"
    }

    private static func colour(_ content: OfflineContent) -> Emphasis? {
        switch content.status {
        case .valid: content.lastNo == nil ? .green : .yellow
        case .renewalDue: .yellow
        case .notKept: nil
        default: .red
        }
    }
}

enum PlayerPlaneCommand {
    private static let until = Argument.required(
        "until", "DATE", "When the network will be back, such as 2027-01-31T12:00:00Z.", as: .time)

    static let command = Command(
        "plane", "Lists contents that would stop playing without a network until a date.",
        discussion: "Exits with 1 if any would. To prevent it, run `tenure player renew --needed-through` beforehand.",
        example: "tenure player plane phone --until 2027-01-31T12:00:00Z",
        arguments: [PlayerOptions.folder, until, SharedOptions.json],
        output: OutputType.object([
            ("lapses", .list(.object([("at", .moment)] + PlayerOutputs.refused)))
        ])
    ) { arguments, console in
        let player = try OpenPlayer(arguments)
        let lapses = await player.library.lapses(before: Date(arguments[until]))
        if arguments[SharedOptions.json] {
            console.answer { body in
                body.array("lapses") { list in
                    for lapse in lapses {
                        list.object { member in
                            member.member("at", Timestamp(lapse.at).description)
                            member.refused(lapse.content, lapse.explanation)
                        }
                    }
                }
            }
        } else if lapses.isEmpty {
            console.answer("all contents play until then")
        } else {
            console.answer(
                lines: lapses.map {
                    "\(Timestamp($0.at).local)  \($0.content)  \($0.explanation.message.withLocalDates)"
                })
        }
        return lapses.isEmpty ? .done : .failed
    }
}

extension ArgumentReading where Value == Timestamp {
    /// Reads a date with or without a time of day.
    fileprivate static var time: ArgumentReading {
        ArgumentReading { text in
            guard let time = Timestamp(text: text) else {
                throw UsageError("enter a date such as 2027-01-31 or 2027-01-31T12:00:00Z")
            }
            return time
        }
    }
}

extension JSONObjectWriter {
    /// Writes a content item with its current state.
    fileprivate mutating func content(_ content: OfflineContent) {
        member("content", content.id)
        member("title", content.title)
        member("course", content.course)
        member("status", content.status.rawValue)
        member("isPlayable", content.status.isPlayable)
        member("isDue", content.isDue)
        member("playableUntil", content.playableUntil.map { Timestamp($0).description })
        member("playsLeft", content.playsLeft)
        member("secondsLeft", content.secondsLeft)
        member("nextChangeAt", content.nextChangeAt.map { Timestamp($0).description })
        member("reasons", content.explanation?.reasons.map(\.code) ?? [])
        member("lastNo", content.lastNo?.reasons.map(\.code) ?? [])
        member("lastNoAt", content.lastNoAt.map { Timestamp($0).description })
        member("recovery", content.recovery?.rawValue)
        choices(content.choices)
    }
}
