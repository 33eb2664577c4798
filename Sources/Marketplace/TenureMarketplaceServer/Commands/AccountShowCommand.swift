import TenureCommandLine
import TenureCore
import TenureFormats
import TenureMarketplace
import TenureServerKit
import TenureStore

enum AccountShowCommand {
    static func command(_ installations: Installations) -> Command {
        Command(
            "show", "Shows an account with its grants and its licenses.",
            discussion:
                "Shows the current license of each device and app, from the first 1000 licenses; `tenure license list --account` lists the rest.",
            example: "tenure account show ada",
            arguments: AccountReference.arguments + [SharedOptions.json, SharedOptions.wide],
            output: Account.document.output(adding: [
                ("grants", .list(of: AppGrant.document.schema)), ("licenses", .list(of: AppLicense.document.schema)),
            ])
        ) { arguments, console in
            let installation = try await installations.open(arguments, console: console)
            let store = installation.store
            let ref = try AccountReference.read(arguments, in: try await installation.catalog())
            let now = installation.clock.now()
            guard let account = try await store.account(ref) else { throw AccountReference.unknown(ref) }
            let grants = try await store.appGrants(of: ref)
            let filter = AppLicenseFilter(tenant: ref.tenant, account: ref.account, now: now)
            let licenses = try await store.appLicenses(filter, after: nil, limit: 1000).currentOfEachDevice
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
            console.answer(Account.page, of: account)
            console.answer("")
            console.answer(TextTable(AppGrant.columns, of: grants.map { AsOf($0, at: now) }))
            console.answer("")
            console.answer(TextTable(AppLicense.columns, of: licenses.map { AsOf($0, at: now) }))
            return .done
        }
    }
}

/// The command line arguments that name an account.
enum AccountReference {
    static let id = Argument.positional(
        "ACCOUNT", "The account's id.",
        as: ArgumentReading { text in
            guard let id = AccountID(text) else {
                throw UsageError("enter 1 to 128 bytes without control characters")
            }
            return id
        })
    static let tenant: Argument<TenantID?> = .optional(
        "tenant", "TENANT", "The tenant of the marketplace; needed only if several have one.", as: .slug())

    /// The arguments of every command on one account.
    static let arguments: [any DeclaredArgument] = [id, tenant] + SharedOptions.installation

    /// Returns the account's tenant and id without checking whether it exists.
    static func read(_ arguments: Parsed, in catalog: CatalogCache) throws(CommandError) -> AccountRef {
        AccountRef(tenant: try tenant(arguments, in: catalog), account: arguments[id])
    }

    /// Returns the named tenant, or the only tenant with a marketplace.
    static func tenant(_ arguments: Parsed, in catalog: CatalogCache) throws(CommandError) -> TenantID {
        let tenants = catalog.current.catalog.tenants
        let markets = tenants.values.filter { $0.marketplace != nil }.map(\.id).sorted()
        if let named = arguments[tenant] {
            guard markets.contains(named) else {
                _ = try catalog.current.catalog.named(named)
                throw CommandError(
                    "The tenant \(named) has no marketplace. Add one to the catalog file and run `tenure apply FILE`.")
            }
            return named
        }
        guard let only = markets.first, markets.count == 1 else {
            throw CommandError(
                markets.isEmpty
                    ? "No tenant has a marketplace. Add one to the catalog file and run `tenure apply FILE`."
                    : "Several tenants have a marketplace; choose one with --tenant: "
                        + markets.map(\.text).joined(separator: ", "))
        }
        return only
    }

    /// The error for a command on an account that doesn't exist or was deleted.
    static func missing(_ ref: AccountRef, in store: any Store) async throws -> CommandError {
        guard let deletedAt = try await store.account(ref)?.deletedAt else { return unknown(ref) }
        return CommandError(
            "Nothing was changed: the account \(ref) was deleted on \(deletedAt.local), and its id can't be used again. "
                + "Name another account, or create one with `tenure account add`.")
    }

    /// The error for an account that doesn't exist.
    static func unknown(_ ref: AccountRef) -> CommandError {
        CommandError(
            "The marketplace of \(ref.tenant) has no account \(ref.account). Run `tenure account list` to see its accounts, or "
                + "`tenure account add` to create one.")
    }
}
