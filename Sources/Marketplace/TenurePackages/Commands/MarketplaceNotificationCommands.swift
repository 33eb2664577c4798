import TenureCommandLine
import TenureCore
import TenureFormats
import TenureServerKit
import TenureStore

/// The command group `tenure marketplace notifications`.
enum MarketplaceNotificationCommands {
    fileprivate static let tenant = Argument.required(
        "tenant", "TENANT", "The tenant of the marketplace.", as: ArgumentReading<TenantID>.slug())
    private static let limit = Argument.option(
        "limit", "N", "The maximum number of notifications.", as: .int(in: 1...1000), default: 100)
    private static let after: Argument<String?> = .optional(
        "after", "ID", "Start after this notification, the last one on the previous page.", as: .text)
    fileprivate static let notification = Argument.positional(
        "ID", "The notification's id in App Store Connect.", as: .text)

    static func group(_ installations: Installations) -> CommandGroup {
        CommandGroup(
            "notifications", "Lists, replays and undoes notifications from App Store Connect.",
            example: "tenure marketplace notifications list --tenant acme",
            commands: [list(installations), replay(installations), forget(installations)])
    }

    private static func list(_ installations: Installations) -> Command {
        Command(
            "list", "Lists the notifications of the last 90 days, newest first.",
            discussion: """
                applied: acted on. unchanged: there was nothing to change. outdated: a newer notification was applied \
                before it. ignored: a ping, or a type that this version does not know. foreign: for another \
                marketplace. unmatched: it takes down packages that this server does not know; use --package-id when \
                you ingest. unreadable: signed, but not understood. forgotten: you undid it. waiting: a running server \
                will act on it when it is due.
                """,
            example: "tenure marketplace notifications list --tenant acme --json",
            arguments: [tenant, after, limit, SharedOptions.json, SharedOptions.wide] + SharedOptions.installation,
            output: Schema.page(
                "notifications",
                of: .output([
                    ("id", .text()), ("type", .text()), ("appleItemID", .textOrNull), ("happenedAt", .momentOrNull),
                    ("receivedAt", .dateTime), ("outcome", .text()), ("detail", .textOrNull),
                ]))
        ) { arguments, console in
            let installation = try await installations.open(arguments, console: console)
            let listed = try await installation.context.notices(
                of: arguments[tenant], limit: arguments[after] == nil ? arguments[limit] : 1000)
            await installation.store.close()
            let lines = try listed.page(after: arguments[after], limit: arguments[limit], \.id)
            let next = lines.count == arguments[limit] ? lines.last?.id : nil
            if arguments[SharedOptions.json] {
                console.answer { body in
                    body.array("notifications") { list in for line in lines { list.object { $0.notice(line) } } }
                    body.next(next)
                }
                return .done
            }
            if lines.isEmpty { console.note("there are no notifications") }
            var table = TextTable([
                .text("received"), .text("happened"), .text("type"), .text("app"), .text("outcome"), .text("id"),
                .text("detail"),
            ])
            for line in lines {
                table.add([
                    line.receivedAt.local, line.happenedAt?.local ?? "-", line.type,
                    line.item?.description ?? "-", line.outcome, line.id, line.detail ?? "-",
                ])
            }
            if !lines.isEmpty { console.answer(table) }
            if let next { console.note("there may be more; continue with --after \(next)") }
            return .done
        }
    }

    private static func replay(_ installations: Installations) -> Command {
        Command(
            "replay", "Makes a running server act on a notification again.",
            discussion: "The notification keeps its own date, so it changes nothing if a newer one was applied.",
            example: "tenure marketplace notifications replay 33e75449-3196-4bf7-9e69-ca12c3e4f56f --tenant acme",
            arguments: [notification, tenant, SharedOptions.json] + SharedOptions.installation,
            output: Schema.output([("notification", .text()), ("replayed", .boolean)])
        ) { arguments, console in
            let installation = try await installations.open(arguments, console: console)
            let isThere = try await installation.context.replayNotice(
                arguments[notification], of: arguments[tenant])
            await installation.store.close()
            guard isThere else {
                throw CommandError(
                    "Nothing was changed: \(arguments[tenant]) has no such notification. Run `tenure marketplace notifications list` to see them."
                )
            }
            console.answer("a running server will act on it again", asJSON: arguments[SharedOptions.json]) { body in
                body.member("notification", arguments[notification])
                body.member("replayed", true)
            }
            return .done
        }
    }
}

extension MarketplaceNotificationCommands {
    private static func forget(_ installations: Installations) -> Command {
        Command(
            "forget", "Undoes a wrong notification.",
            discussion: """
                The app's state then follows from its other stored notifications. The id is remembered permanently, so \
                the notification changes nothing if App Store Connect sends it again; `replay` makes it count again. \
                Refused if earlier notifications of the app were deleted after 90 days, because the earlier state is \
                then unknown.
                """,
            example: "tenure marketplace notifications forget 33e75449-3196-4bf7-9e69-ca12c3e4f56f --tenant acme",
            arguments: [notification, tenant, SharedOptions.json] + SharedOptions.installation,
            output: Schema.output([("notification", .text()), ("forgotten", .boolean), ("changed", .boolean)])
        ) { arguments, console in
            let installation = try await installations.open(arguments, console: console)
            let (id, owner) = (arguments[notification], arguments[tenant])
            let outcome = try await installation.context.forgetNotice(
                id, of: owner, by: .commandLine)
            await installation.store.close()
            let line =
                switch outcome {
                case .forgotten: "forgotten; the app's state now follows from its other notifications"
                case .alreadyForgotten: "nothing was changed: it was already forgotten"
                case .unknown:
                    throw CommandError(
                        "Nothing was changed: \(owner) has no such notification. Run `tenure marketplace notifications list` to see them."
                    )
                case .swept:
                    throw CommandError(
                        """
                        Nothing was changed: earlier notifications of the app have been deleted, so its earlier state \
                        is unknown. Wait for a newer notification from App Store Connect, or `replay` a stored one.
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
}

extension JSONObjectWriter {
    fileprivate mutating func notice(_ line: Notice.Line) {
        member("id", line.id)
        member("type", line.type)
        member("appleItemID", line.item?.description)
        member("happenedAt", line.happenedAt?.description)
        member("receivedAt", line.receivedAt.description)
        member("outcome", line.outcome)
        member("detail", line.detail)
    }
}
