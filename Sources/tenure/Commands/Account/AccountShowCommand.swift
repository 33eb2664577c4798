import TenureCommandLine
import TenureCore
import TenureFormats
import TenureServer
import TenureStore

/// `tenure account show`
enum AccountShowCommand {
    static let command = Command(
        "show", "Shows an account with its grants and its licenses.",
        discussion: "The first 1000 licenses are shown; `tenure license list --account` goes on.",
        example: "tenure account show ada",
        arguments: AccountReference.arguments + [SharedOptions.json]
    ) { arguments, console in
        let installation = try await Installation.open(arguments, console: console)
        let store = installation.store
        let ref = try AccountReference.read(arguments, in: try await installation.catalog())
        let now = installation.clock.now()
        guard let account = try await store.account(ref) else { throw AccountReference.unknown(ref) }
        let grants = try await store.appGrants(of: ref)
        let filter = AppLicenseFilter(tenant: ref.tenant, account: ref.account, now: now)
        let licenses = try await store.appLicenses(filter, after: nil, limit: 1000)
        await store.close()
        if arguments[SharedOptions.json] {
            console.answer { body in
                body.account(account)
                body.array("grants") { list in for grant in grants { list.object { $0.appGrant(grant, at: now) } } }
                body.array("licenses") { list in
                    for license in licenses { list.object { $0.appLicense(license, at: now) } }
                }
            }
            return .done
        }
        console.answer(lines: [
            "account   \(account.ref.account)", "tenant    \(account.ref.tenant)", "email     \(account.email ?? "-")",
            "password  \(account.passwordHash == nil ? "none" : "set")", "added     \(account.createdAt)", "",
        ])
        console.answer(GrantPage.table(grants, at: now))
        console.answer("")
        console.answer(AppLicensePage.table(licenses, at: now))
        return .done
    }
}

/// Grants as a table.
enum GrantPage {
    static func table(_ grants: [AppGrant], at now: Timestamp) -> Table {
        var table = Table([.text("app"), .text("standing"), .text("granted"), .text("ends")])
        for grant in grants {
            let standing = grant.isOpen(at: now) ? "open" : grant.endedAt == nil ? "over" : "ended"
            table.add([
                grant.item.description, standing, grant.grantedAt.description,
                (grant.endedAt ?? grant.term.end)?.description ?? "never",
            ])
        }
        return table
    }
}
