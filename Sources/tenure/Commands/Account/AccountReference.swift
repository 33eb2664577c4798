import TenureCommandLine
import TenureCore
import TenureServer

/// How a person names an account on the command line.
enum AccountReference {
    static let id = Argument.positional(
        "ACCOUNT", "The account's id.",
        as: Reading { text throws(UsageError) in
            guard let id = AccountID(text) else {
                throw UsageError("write 1 to 128 bytes without control characters")
            }
            return id
        })
    static let tenant: Argument<TenantID?> = .optional(
        "tenant", "TENANT", "Whose marketplace; not needed where there is one.", as: .slug())

    /// What the commands on one account take.
    static let arguments: [any DeclaredArgument] = [id, tenant] + SharedOptions.installation

    /// The account that is meant, whether it is there or not.
    static func read(_ arguments: Parsed, in catalog: CatalogCache) throws(CommandError) -> AccountRef {
        AccountRef(tenant: try tenant(arguments, in: catalog), account: arguments[id])
    }

    /// The tenant that is named, or the only one with a marketplace.
    static func tenant(_ arguments: Parsed, in catalog: CatalogCache) throws(CommandError) -> TenantID {
        let tenants = catalog.current.catalog.tenants
        let markets = tenants.values.filter { $0.marketplace != nil }.map(\.id).sorted()
        if let named = arguments[tenant] {
            guard markets.contains(named) else {
                throw CommandError(
                    tenants[named] == nil
                        ? "There is no tenant \(named). `tenure apply FILE` adds one."
                        : "The tenant \(named) has no marketplace. Give it one in the catalog file, and `tenure apply` it."
                )
            }
            return named
        }
        guard let only = markets.first, markets.count == 1 else {
            throw CommandError(
                markets.isEmpty
                    ? "No tenant has a marketplace. Give one to a tenant in the catalog file, and `tenure apply` it."
                    : "Several tenants have a marketplace; name one with --tenant: "
                        + markets.map(\.text).joined(separator: ", "))
        }
        return only
    }

    /// What to say when there is no such account.
    static func unknown(_ ref: AccountRef) -> CommandError {
        CommandError(
            "There is no account \(ref.account) at \(ref.tenant)'s marketplace. `tenure account list` shows them; "
                + "`tenure account add` makes one.")
    }
}
