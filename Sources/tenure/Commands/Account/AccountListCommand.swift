import TenureCommandLine
import TenureCore
import TenureFormats
import TenureServer
import TenureStore

/// `tenure account list`
enum AccountListCommand {
    private static let after: Argument<AccountID?> = .optional(
        "after", "ACCOUNT", "Only those after this one: the last of the page before.",
        as: Reading { text throws(UsageError) in
            guard let id = AccountID(text) else { throw UsageError("write an account's id") }
            return id
        })
    private static let limit = Argument.option("limit", "N", "At most so many.", as: .int(in: 1...1000), default: 100)

    static let command = Command(
        "list", "Lists the accounts of a marketplace in the order of their ids.", example: "tenure account list",
        arguments: [AccountReference.tenant, after, limit, SharedOptions.json] + SharedOptions.installation
    ) { arguments, console in
        let installation = try await Installation.open(arguments, console: console)
        let tenant = try AccountReference.tenant(arguments, in: try await installation.catalog())
        let accounts = try await installation.store.accounts(
            of: tenant, after: arguments[after], limit: arguments[limit])
        await installation.store.close()
        if arguments[SharedOptions.json] {
            console.answer { body in
                body.array("accounts") { list in for account in accounts { list.object { $0.account(account) } } }
            }
            return .done
        }
        var table = Table([.text("account"), .text("email"), .text("password"), .text("added")])
        for account in accounts {
            table.add([
                account.ref.account.text, account.email ?? "-", account.passwordHash == nil ? "none" : "set",
                account.createdAt.description,
            ])
        }
        console.answer(table)
        if accounts.count == arguments[limit], let last = accounts.last {
            console.note("there may be more: --after '\(last.ref.account)'")
        }
        return .done
    }
}
