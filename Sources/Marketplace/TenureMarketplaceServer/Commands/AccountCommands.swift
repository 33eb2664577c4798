import TenureCommandLine
import TenureCore
import TenureCrypto
import TenureFiles
import TenureFormats
import TenureMarketplace
import TenureServerKit
import TenureStore

enum AccountCommands {
    static func group(_ installations: Installations) -> CommandGroup {
        CommandGroup(
            "account", "Manages the accounts of a marketplace and the apps they may use.",
            discussion: """
                An account's id is the `account` of Apple's URLs. Accounts and grants can also be declared in the \
                catalog file. Passwords, tokens and links are created here.
                """,
            example: "tenure account add ada --email ada@example.com && tenure account grant ada --item 6483539426",
            commands: [
                AccountAddCommand.command(installations), AccountShowCommand.command(installations),
                AccountListCommand.command(installations), AccountDeleteCommand.command(installations),
                AccountGrantCommands.grant(installations), AccountGrantCommands.end(installations),
                AccountCredentialCommands.token(installations),
                AccountCredentialCommands.link(installations), AccountCredentialListCommands.list(installations),
                AccountCredentialListCommands.end(installations),
            ])
    }
}

enum AccountAddCommand {
    private static let email: Argument<String?> = .optional(
        "email", "EMAIL", "The person's e-mail address.",
        as: ArgumentReading { text in
            guard EmailAddress.isOne(text) else { throw UsageError("enter an e-mail address") }
            return text
        })
    private static let passwordFile: Argument<String?> = .optional(
        "password-file", "FILE", "A file with the person's password on its first line; - reads standard input.",
        as: .text)

    static func command(_ installations: Installations) -> Command {
        Command(
            "add", "Creates an account, or changes an existing one.",
            discussion:
                "Options that are not given leave their values unchanged. Repeating the command changes nothing. Passwords are stored only as a slow hash.",
            example: "tenure account add ada --email ada@example.com --tenant acme",
            arguments: [AccountReference.id, email, passwordFile, AccountReference.tenant, SharedOptions.json]
                + SharedOptions.installation,
            output: Account.document.output()
        ) { arguments, console in
            let hash = try arguments[passwordFile].map { path in try passwordHash(path, console) }
            let installation = try await installations.open(arguments, console: console)
            let market = try await installation.marketplace()
            let ref = try AccountReference.read(arguments, in: market.catalog)
            let outcome = try await market.addAccount(
                ref, email: arguments[email], passwordHash: hash, by: .commandLine)
            await installation.store.close()
            switch outcome {
            case .created(let account):
                if EmailAddress.isOne(ref.account.text) { console.note(AccountRef.warning) }
                console.answer("added \(account.ref)", asJSON: arguments[SharedOptions.json]) { $0.account(account) }
            case .existing(let account, let changed):
                if !changed, hash == nil { console.note("nothing changed: this was already done") }
                console.answer(
                    changed ? "changed \(account.ref)" : "\(account.ref)", asJSON: arguments[SharedOptions.json]
                ) { $0.account(account) }
            case .emailTaken(let other):
                throw CommandError(
                    "Nothing was changed: the account \(other) already has this e-mail address, and an address must belong to "
                        + "one account to sign in with. Use another address, or change that account's first.")
            case .deleted(let deletedAt):
                throw CommandError(
                    "Nothing was changed: the account \(ref) was deleted on \(deletedAt.local), and its id can't be used again. "
                        + "Choose another id.")
            case .noMarketplace:
                throw CommandError(
                    "Nothing was changed: the tenant \(ref.tenant) no longer has a marketplace. Add one to the catalog file and run `tenure apply FILE`."
                )
            }
            return .done
        }
    }

    private static func passwordHash(_ path: String, _ console: Console) throws -> String {
        let file: [UInt8]
        if path == "-" {
            file = Array((console.readInputLine() ?? "").utf8)
        } else {
            do throws(Errno) {
                file = try CallersFile.bytes(of: path)
            } catch {
                throw CommandError("The password file \(path) cannot be read.")
            }
        }
        let password = String(firstLineOf: file).map(PasswordText.bytes)
        guard let password, (8...PasswordHash.longestPassword).contains(password.count) else {
            throw CommandError(
                "\(path) does not contain a valid password. A password has 8 to \(PasswordHash.longestPassword) bytes of UTF-8 on one line."
            )
        }
        return try PasswordHash.make(of: password)
    }
}

extension AccountRef {
    /// The warning for an id that is an e-mail address.
    static let warning =
        "the id is an e-mail address: events keep ids, even after the account is deleted; an id that names no person is "
        + "better"
}

enum AccountListCommand {
    private static let after: Argument<AccountID?> = .optional(
        "after", "ACCOUNT", "Start after this account, the last one on the previous page.",
        as: ArgumentReading { text in
            guard let id = AccountID(text) else { throw UsageError("enter an account's id") }
            return id
        })
    private static let limit = Argument.option(
        "limit", "N", "The maximum number of accounts.", as: .int(in: 1...1000), default: 100)

    static func command(_ installations: Installations) -> Command {
        Command(
            "list", "Lists the accounts of a marketplace by id.", example: "tenure account list",
            arguments: [AccountReference.tenant, after, limit, SharedOptions.json, SharedOptions.wide]
                + SharedOptions.installation,
            output: Schema.page("accounts", of: Account.document.schema)
        ) { arguments, console in
            let installation = try await installations.open(arguments, console: console)
            let tenant = try AccountReference.tenant(arguments, in: try await installation.catalog())
            let accounts = try await installation.store.accounts(
                of: tenant, after: arguments[after], limit: arguments[limit])
            await installation.store.close()
            if arguments[SharedOptions.json] {
                console.answer { body in
                    body.array("accounts") { list in for account in accounts { list.object { $0.account(account) } } }
                    body.next(accounts.count == arguments[limit] ? accounts.last?.ref.account.text : nil)
                }
                return .done
            }
            var table = TextTable([.text("account"), .text("email"), .text("password"), .text("added")])
            for account in accounts {
                table.add([
                    account.ref.account.text, account.isOpen ? account.email ?? "-" : "(deleted)",
                    account.passwordHash == nil ? "none" : "set", account.createdAt.local,
                ])
            }
            console.answer(table)
            if accounts.count == arguments[limit], let last = accounts.last {
                console.note("there may be more; continue with --after '\(last.ref.account)'")
            }
            return .done
        }
    }
}
