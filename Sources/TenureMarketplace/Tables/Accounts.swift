public import TenureCore
import TenureServerKit
public import TenureStore

extension Account: Stored {
    /// People at marketplaces.
    public static let table = Table<Account>(
        "accounts", key: ["tenant", "account"],
        [
            Field("tenant") { $0.ref.tenant }, Field("account") { $0.ref.account }, Field("email") { $0.email },
            Field("password_hash") { $0.passwordHash }, Field("created_at") { $0.createdAt },
        ],
        parents: [TenantRow.table.shape]
    ) { row throws(StoreError) in
        Account(ref: try row.account(), email: try row.next(), passwordHash: try row.next(), createdAt: try row.next())
    }

    /// A tenant's, in the order of their names' bytes.
    public static let ofTenant = table.set("of_tenant", "tenant")
    /// Those of a tenant that have an e-mail address, compared without regard to ASCII case.
    public static let byEmail = table.set(
        "by_email", "email", "tenant", where: .isNotNull("email"), folded: ["email"], leading: 1)
}
