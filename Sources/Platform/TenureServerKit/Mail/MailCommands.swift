import TenureCommandLine
import TenureCore
import TenureFormats
import TenureStore

/// The command group `tenure mail`.
enum MailCommands {
    private static let tenant = Argument.required(
        "tenant", "TENANT", "The tenant of the letters.", as: ArgumentReading<TenantID>.slug())
    private static let state: Argument<Mail.State?> = .optional(
        "state", "STATE", "Only letters in this state.", as: .choice())
    private static let retried: Argument<Mail.State?> = .optional(
        "state", "STATE", "All letters in this state.", as: .choice(among: [.failed, .bounced, .held, .superseded]))
    private static let license: Argument<LicenseID?> = .optional(
        "license", "LICENSE", "Only letters about this license, by its id.",
        as: ArgumentReading { text in
            guard let id = LicenseID(text: text) else { throw UsageError("enter a license id such as lic_...") }
            return id
        })
    private static let since: Argument<Timestamp?> = .optional(
        "since", "DATE", "Only letters whose state changed at this time or later.", as: .start)
    private static let after: Argument<MailID?> = .optional(
        "after", "MAIL", "Start after this letter, the last one on the previous page.",
        as: .numbered("a letter's id such as mail_0123456789abc"))
    private static let limit = Argument.option(
        "limit", "N", "The maximum number of letters.", as: .int(in: 1...1000), default: 100)
    private static let mail: Argument<MailID?> = .optionalPositional(
        "MAIL", "The letter's id: mail_...", as: .numbered("a letter's id such as mail_0123456789abc"))
    private static let address = Argument.positional("ADDRESS", "The address that the letter was sent to.", as: .text)
    private static let reason: Argument<String?> = .optional(
        "reason", "TEXT", "What the mail server said.", as: .text)

    static func group(_ installations: Installations) -> CommandGroup {
        CommandGroup(
            "mail", "Lists letters to customers, and sends them again.",
            example: "tenure mail list --tenant acme --state failed",
            commands: [list(installations), retry(installations), bounced(installations)])
    }

    private static func list(_ installations: Installations) -> Command {
        Command(
            "list", "Lists a tenant's letters, newest first.",
            discussion: "Lists letters that wait, and those of the last 90 days. Their text isn't stored.",
            example: "tenure mail list --tenant acme --state failed",
            arguments: [tenant, state, license, after, limit, SharedOptions.json, SharedOptions.wide]
                + SharedOptions.installation,
            output: Schema.page("mails", of: Mail.document.output())
        ) { arguments, console in
            let installation = try await installations.open(arguments, console: console)
            let (context, tenant) = (installation.context, arguments[tenant])
            _ = try await installation.catalog().current.catalog.named(tenant)
            let last = try await last(arguments, context)
            let page = try await context.mails(
                of: tenant, in: arguments[state], about: arguments[license], after: last, limit: arguments[limit])
            await installation.store.close()
            if arguments[SharedOptions.json] {
                console.answer { body in
                    body.array("mails") { list in
                        for mail in page.rows { list.object { Mail.document.write(mail, into: &$0) } }
                    }
                    body.next(page.next?.id.description)
                }
                return .done
            }
            var table = TextTable([
                .text("mail"), .text("kind"), .text("to"), .state("state"), .text("created"), .number("attempts"),
                .text("answer"),
            ])
            for mail in page.rows {
                table.add([
                    mail.id.description, mail.kind, mail.address, mail.state.rawValue, mail.createdAt.local,
                    "\(mail.attempts)", mail.answer ?? "-",
                ])
            }
            console.answer(table)
            if let next = page.next { console.note("there may be more; continue with --after \(next.id)") }
            return .done
        }
    }

    private static func last(_ arguments: Parsed, _ context: FeatureContext) async throws -> Mail? {
        guard let id = arguments[after] else { return nil }
        guard let mail = try await context.mail(id, of: arguments[tenant]) else { throw unknown(id) }
        return mail
    }

    private static func retry(_ installations: Installations) -> Command {
        Command(
            "retry", "Sends a letter again, or all letters in a state.",
            discussion: """
                A letter is due now if it waits, failed, bounced, was superseded or is held. While sending pauses, \
                because the mail server refuses to send, it waits for the end of the pause. A letter that was sent isn't \
                sent again.
                """,
            example: "tenure mail retry --tenant acme --state failed --since 2026-11-21",
            arguments: [mail, tenant, retried, since, SharedOptions.json] + SharedOptions.installation,
            output: Schema.output([("mails", .texts)])
        ) { arguments, console in
            guard (arguments[mail] == nil) != (arguments[retried] == nil) else {
                throw UsageError("name either a letter, or --state")
            }
            guard arguments[mail] == nil || arguments[since] == nil else {
                throw UsageError("--since works only with --state")
            }
            let installation = try await installations.open(arguments, console: console)
            let (context, tenant) = (installation.context, arguments[tenant])
            _ = try await installation.catalog().current.catalog.named(tenant)
            let letters: [Mail]
            if let id = arguments[mail] {
                guard let mail = try await context.retryMail(id, of: tenant) else { throw unknown(id) }
                guard mail.state != .sent else {
                    throw CommandError("\(id) was sent on \(mail.changedAt.local). Send another letter instead.")
                }
                letters = [mail]
            } else {
                letters = try await retryAll(of: tenant, in: context, arguments)
            }
            await installation.store.close()
            let text = letters.count == 1 ? "1 letter is due now" : "\(letters.count) letters are due now"
            console.answer(text, asJSON: arguments[SharedOptions.json]) { body in
                body.member("mails", letters.map(\.id.description))
            }
            return .done
        }
    }

    private static func retryAll(
        of tenant: TenantID, in context: FeatureContext, _ arguments: Parsed
    ) async throws -> [Mail] {
        let since = arguments[since]
        var (letters, last): ([Mail], Mail?) = ([], nil)
        repeat {
            let page = try await context.mails(of: tenant, in: arguments[retried], after: last, limit: 1000)
            for mail in page.rows where since.map({ mail.changedAt >= $0 }) ?? true {
                if let after = try await context.retryMail(mail.id, of: tenant) { letters.append(after) }
            }
            last = page.next
        } while last != nil
        return letters
    }

    private static func bounced(_ installations: Installations) -> Command {
        Command(
            "bounced", "Marks the newest letter to an address as bounced.",
            discussion: "For a notice that a mail server couldn't deliver a letter that it had accepted.",
            example: "tenure mail bounced ada@shop.example --tenant acme --reason 'mailbox full'",
            arguments: [address, tenant, reason, SharedOptions.json] + SharedOptions.installation,
            output: Mail.document.output()
        ) { arguments, console in
            let installation = try await installations.open(arguments, console: console)
            _ = try await installation.catalog().current.catalog.named(arguments[tenant])
            let mail = try await installation.context.bounceMail(
                .address(arguments[address]), because: arguments[reason], of: arguments[tenant])
            await installation.store.close()
            guard let mail else {
                throw CommandError(
                    "No letter to \(arguments[address]) was sent in the last 90 days. Run `tenure mail list --tenant "
                        + "\(arguments[tenant])` to see the letters.")
            }
            console.answer("\(mail.id) has bounced", asJSON: arguments[SharedOptions.json]) { body in
                Mail.document.write(mail, into: &body)
            }
            return .done
        }
    }

    private static func unknown(_ id: MailID) -> CommandError {
        CommandError("The tenant has no letter \(id). Run `tenure mail list` to see its letters.")
    }
}
