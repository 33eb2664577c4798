import TenureCore
package import TenureMarketplace
import TenureServerKit
public import TenureStore

extension Account: Stored {
    package static let table = Table<Account>(
        "accounts", key: ["tenant", "account"],
        [
            Field("tenant") { $0.ref.tenant }, Field("account", namesPerson: true) { $0.ref.account },
            Field("email", namesPerson: true) { $0.email },
            Field("password_hash") { $0.passwordHash }, Field("created_at") { $0.createdAt },
            Field("deleted_at") { $0.deletedAt },
            Field.fold("email_folded", namesPerson: true) { $0.email },
            Field.fold("account_folded", namesPerson: true) { $0.ref.account.text },
        ],
        foreignKeys: [ForeignKey(to: TenantRow.self)],
        indexes: [
            // Without `created_at`, SQLite would read all accounts of the tenant in the order of their ids.
            TableIndex(
                "by_email", "tenant", "email_folded", "created_at", "account", where: .isNotNull("email_folded")),
            TableIndex("by_name", "tenant", "account_folded", "account"),
        ]
    ) { row in
        Account(
            ref: try row.account(), email: try row.next(), passwordHash: try row.next(), createdAt: try row.next(),
            deletedAt: try row.next())
    }

    /// The accounts of a tenant, sorted by the bytes of their ids.
    package static let ofTenant = table.set("of_tenant", "tenant")
    /// A tenant's accounts with an e-mail address, compared by its fold; oldest first.
    package static let byEmail = table.set(
        "by_email", "tenant", "email_folded", where: .isNotNull("email_folded"), order: [.up("created_at")])
    /// A tenant's accounts with an id, compared by its fold, without deleted ones.
    ///
    /// A deleted account must not keep another one with the same fold from signing in.
    package static let byName = table.set("by_name", "tenant", "account_folded", where: .isNull("deleted_at"))
}
