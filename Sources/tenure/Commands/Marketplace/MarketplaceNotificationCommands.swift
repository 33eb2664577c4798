import TenureCommandLine
import TenureCore
import TenureFormats
import TenurePackages
import TenureStore

/// The command group `tenure marketplace notifications`.
enum MarketplaceNotificationCommands {
    fileprivate static let tenant = Argument.required(
        "tenant", "TENANT", "Whose marketplace.", as: ArgumentReading<TenantID>.slug())
    private static let limit = Argument.option("limit", "N", "At most so many.", as: .int(in: 1...1000), default: 100)
    fileprivate static let notification = Argument.positional("ID", "What App Store Connect calls it.", as: .text)

    static let group = CommandGroup(
        "notifications", "What App Store Connect has told a marketplace, and what became of it.",
        example: "tenure marketplace notifications list --tenant acme", commands: [list, replay, forget])

    private static let list = Command(
        "list", "Lists notifications, the latest first; they are kept for 90 days.",
        discussion: """
            applied: acted on. unchanged: it was so already. outdated: something later was told before. ignored: a ping, \
            or a type that this version does not know. foreign: of another marketplace. unmatched: it takes packages \
            down that nobody has told this server of; give --package-id when you ingest. unreadable: signed, and not \
            understood. forgotten: you undid it. waiting: a running server acts on it, or does when its time has come.
            """,
        example: "tenure marketplace notifications list --tenant acme --json",
        arguments: [tenant, limit, SharedOptions.json] + SharedOptions.installation
    ) { arguments, console in
        let installation = try await Installation.open(arguments, console: console)
        let lines = try await ReadNotices(store: installation.store, clock: installation.clock)(
            of: arguments[tenant], limit: arguments[limit])
        await installation.store.close()
        if arguments[SharedOptions.json] {
            console.answer { body in
                body.array("notifications") { list in for line in lines { list.object { $0.notice(line) } } }
            }
            return .done
        }
        if lines.isEmpty { console.note("no notifications") }
        var table = TextTable([
            .text("received"), .text("happened"), .text("type"), .text("app"), .text("outcome"), .text("id"),
            .text("detail"),
        ])
        for line in lines {
            table.add([
                line.receivedAt.description, line.happenedAt?.description ?? "-", line.type,
                line.item?.description ?? "-", line.outcome, line.id, line.detail ?? "-",
            ])
        }
        if !lines.isEmpty { console.answer(table) }
        return .done
    }

    private static let replay = Command(
        "replay", "Has a notification acted on again, by a running server.",
        discussion: "It counts by its own time, as ever: what is older than the last that was told changes nothing.",
        example: "tenure marketplace notifications replay 33e75449-3196-4bf7-9e69-ca12c3e4f56f --tenant acme",
        arguments: [notification, tenant, SharedOptions.json] + SharedOptions.installation
    ) { arguments, console in
        let installation = try await Installation.open(arguments, console: console)
        let isThere = try await ReadNotices(store: installation.store, clock: installation.clock).replay(
            arguments[notification], of: arguments[tenant])
        await installation.store.close()
        guard isThere else {
            throw CommandError("\(arguments[tenant]) got no such notification. Nothing was changed.")
        }
        console.answer("a running server acts on it again", asJSON: arguments[SharedOptions.json]) { body in
            body.member("notification", arguments[notification])
            body.member("replayed", true)
        }
        return .done
    }
}

extension MarketplaceNotificationCommands {
    private static let forget = Command(
        "forget", "Undoes a wrong notification.",
        discussion: """
            What the kept notifications of its app say without it holds from then on. Its id is kept for good, so that it \
            changes nothing if App Store Connect sends it again; replay has it count again. Refused where earlier \
            notifications of the app are no longer kept, which they are for 90 days: what held before is unknown then.
            """,
        example: "tenure marketplace notifications forget 33e75449-3196-4bf7-9e69-ca12c3e4f56f --tenant acme",
        arguments: [notification, tenant, SharedOptions.json] + SharedOptions.installation
    ) { arguments, console in
        let installation = try await Installation.open(arguments, console: console)
        let (id, owner) = (arguments[notification], arguments[tenant])
        let outcome = try await ForgetNotice(store: installation.store, clock: installation.clock)(
            id, of: owner, by: .commandLine)
        await installation.store.close()
        let line =
            switch outcome {
            case .forgotten: "forgotten; what the other notifications of its app say holds now"
            case .alreadyForgotten: "it was forgotten before; nothing was changed"
            case .unknown: throw CommandError("\(owner) got no such notification. Nothing was changed.")
            case .swept:
                throw CommandError(
                    """
                    Earlier notifications of its app are no longer kept, so what held before it is unknown. Nothing was \
                    changed. A later notification of App Store Connect's, or `replay` of one that is kept, opens the app.
                    """)
            }
        console.answer(line, asJSON: arguments[SharedOptions.json]) { body in
            body.member("notification", id)
            body.member("forgotten", true)
            body.member("changed", outcome == .forgotten)
        }
        return .done
    }
}

extension JSONObjectWriter {
    fileprivate mutating func notice(_ line: ReadNotices.Line) {
        member("id", line.id)
        member("type", line.type)
        member("appleItemID", line.item?.description)
        member("happenedAt", line.happenedAt?.description)
        member("receivedAt", line.receivedAt.description)
        member("outcome", line.outcome)
        member("detail", line.detail)
    }
}
