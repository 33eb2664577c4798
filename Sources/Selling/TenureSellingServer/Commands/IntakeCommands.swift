import TenureCommandLine
import TenureCore
import TenureFormats
import TenureSelling
import TenureServerKit
import TenureStore

extension HelpSection {
    /// The commands about payments and orders.
    static let selling = HelpSection("Selling", position: 15)
}

enum IntakeCommands {
    static let tenant = Argument.required("tenant", "TENANT", "The tenant.", as: ArgumentReading<TenantID>.slug())
    private static let source: Argument<SourceID?> = .optional(
        "source", "SOURCE", "Only messages from this source.", as: .slug())
    private static let state: Argument<PaymentMessage.State?> = .optional(
        "state", "STATE", "Only messages in this state.", as: .choice())
    private static let after: Argument<PaymentMessageID?> = .optional(
        "after", "MESSAGE", "Start after this message, the last one on the previous page.",
        as: .numbered("a message's id such as msg_0123456789abc"))
    static let limit = Argument.option("limit", "N", "The maximum number.", as: .int(in: 1...1000), default: 100)
    private static let message =
        Argument.positional(
            "MESSAGE", "The message's id: msg_...", as: .numbered("a message's id such as msg_0123456789abc"))
        as Argument<PaymentMessageID>
    private static let issue = Argument.flag(
        "issue", "Let a renewal of an order that Tenure doesn't know issue licenses.")
    private static let body = Argument.flag("body", "Also print the message's body, which may name the buyer.")

    static func group(_ installations: Installations) -> CommandGroup {
        CommandGroup(
            "intake", "Lists messages from payment providers, acts on them again, and fetches missed ones.",
            example: "tenure intake list --tenant acme --state parked",
            commands: [
                list(installations), show(installations), retry(installations), dismiss(installations),
                CatchUpCommand.command(installations), SimulateCommand.command(installations),
            ])
    }

    private static func list(_ installations: Installations) -> Command {
        Command(
            "list", "Lists a tenant's messages from payment providers, newest first.",
            example: "tenure intake list --tenant acme --state parked",
            arguments: [tenant, source, state, after, limit, SharedOptions.json, SharedOptions.wide]
                + SharedOptions.installation,
            output: Schema.page("messages", of: PaymentMessage.document.output())
        ) { arguments, console in
            let installation = try await installations.open(arguments, console: console)
            let (context, tenant) = (installation.context, arguments[tenant])
            _ = try await installation.catalog().current.catalog.named(tenant)
            var last: PaymentMessage?
            if let id = arguments[after] {
                last = try await context.paymentMessage(id, of: tenant)
                guard last != nil else { throw unknown(id) }
            }
            let page = try await context.paymentMessages(
                of: tenant, from: arguments[source], in: arguments[state], after: last, limit: arguments[limit])
            await installation.store.close()
            if arguments[SharedOptions.json] {
                console.answer { body in
                    body.array("messages") { list in
                        for message in page.rows { list.object { PaymentMessage.document.write(message, into: &$0) } }
                    }
                    body.next(page.next?.id.description)
                }
                return .done
            }
            var table = TextTable([
                .text("message"), .text("source"), .text("type"), .state("state"), .text("reason"), .text("order"),
                .text("received"), .text("detail"),
            ])
            for message in page.rows {
                table.add([
                    message.id.description, message.source.text, message.type, message.state.rawValue,
                    message.reason?.rawValue ?? "-", message.order ?? "-", message.receivedAt.local,
                    message.detail ?? "-",
                ])
            }
            console.answer(table)
            if let next = page.next { console.note("there may be more; continue with --after \(next.id)") }
            return .done
        }
    }

    private static func show(_ installations: Installations) -> Command {
        Command(
            "show", "Shows a message from a payment provider, and what to do about it.",
            example: "tenure intake show msg_0123456789abc --tenant acme",
            arguments: [message, tenant, body, SharedOptions.json] + SharedOptions.installation,
            output: PaymentMessage.Shown.document.output()
        ) { arguments, console in
            let installation = try await installations.open(arguments, console: console)
            let (context, id) = (installation.context, arguments[message])
            let master = try await installation.catalog().master
            guard let found = try await context.paymentMessage(id, of: arguments[tenant]) else { throw unknown(id) }
            var text: String?
            if arguments[body] {
                text = try await context.body(of: id, under: master).map { String(decoding: $0, as: UTF8.self) }
            }
            await installation.store.close()
            if arguments[SharedOptions.json] {
                console.answer { body in
                    PaymentMessage.Shown.document.write(PaymentMessage.Shown(message: found, body: text), into: &body)
                }
                return .done
            }
            console.answer(lines: found.lines + (text.map { ["body      \($0)"] } ?? []))
            return .done
        }
    }

    private static func retry(_ installations: Installations) -> Command {
        Command(
            "retry", "Acts on a message again that waits, is parked or was ignored.",
            discussion: """
                A renewal of an order that Tenure doesn't know is parked, because a shop that is switched on has old \
                subscribers. With --issue, it issues licenses as a sale would.
                """,
            example: "tenure intake retry msg_0123456789abc --tenant acme",
            arguments: [message, tenant, issue, SharedOptions.json] + SharedOptions.installation,
            output: PaymentMessage.document.output()
        ) { arguments, console in
            let installation = try await installations.open(arguments, console: console)
            let id = arguments[message]
            let change = try await installation.context.retryPaymentMessage(
                id, of: arguments[tenant], issuesUnknown: arguments[issue])
            await installation.store.close()
            let retried = try message(after: change, of: id) { time in
                "\(id) was done on \(time.local), and can't be acted on again."
            }
            console.answer("\(id) is due now", asJSON: arguments[SharedOptions.json]) { body in
                PaymentMessage.document.write(retried, into: &body)
            }
            return .done
        }
    }

    private static func dismiss(_ installations: Installations) -> Command {
        Command(
            "dismiss", "Ends a parked message without acting on it.",
            discussion: """
                For a message that can't be read, or that you have dealt with by hand. It becomes ignored, and `tenure \
                intake retry` can still act on it.
                """,
            example: "tenure intake dismiss msg_0123456789abc --tenant acme",
            arguments: [message, tenant, SharedOptions.json] + SharedOptions.installation,
            output: PaymentMessage.document.output()
        ) { arguments, console in
            let installation = try await installations.open(arguments, console: console)
            let id = arguments[message]
            let change = try await installation.context.dismissPaymentMessage(id, of: arguments[tenant])
            await installation.store.close()
            let dismissed = try message(after: change, of: id) { time in
                "\(id) isn't parked. Its state is the same since \(time.local)."
            }
            console.answer("\(id) is ignored from now on", asJSON: arguments[SharedOptions.json]) { body in
                PaymentMessage.document.write(dismissed, into: &body)
            }
            return .done
        }
    }

    private static func message(
        after change: MessageChange, of id: PaymentMessageID, orElse finished: (Timestamp) -> String
    ) throws(CommandError) -> PaymentMessage {
        switch change {
        case .changed(let message): return message
        case .unknown: throw unknown(id)
        case .finished(let message): throw CommandError(finished(message.changedAt))
        case .bodyRemoved: throw CommandError(MessageChange.bodyRemovedSentence)
        }
    }

    private static func unknown(_ id: PaymentMessageID) -> CommandError {
        CommandError("The tenant has no message \(id). Run `tenure intake list` to see its messages.")
    }
}

extension PaymentMessage {
    /// The message as lines for a person.
    fileprivate var lines: [String] {
        [
            "message   \(id)", "source    \(source)", "type      \(type)", "provider  \(message)",
            "state     \(state.rawValue)" + (reason.map { ", \($0.rawValue)" } ?? ""),
            "order     \(order ?? "-")", "happened  \(happenedAt.local)", "received  \(receivedAt.local)",
        ] + (detail.map { ["detail    \($0)"] } ?? [])
            + (state == .parked ? reason?.remedy.map { ["to fix    \($0)"] } ?? [] : [])
    }
}
