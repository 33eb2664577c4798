import TenureCore
import TenureMarketplace
import TenureServerKit
import TenureStore

extension RestoreAddition {
    /// The records of a marketplace that are lost if an older backup is restored.
    ///
    /// App licenses aren't included, because devices request them again.
    static let marketplace = [RestoreAddition(accounts), RestoreAddition(grants), RestoreAddition(credentials)]

    private static let accounts: AddedRows<Account, TenantRow> = {
        var rows = AddedRows<Account, TenantRow>(
            "account", under: TenantRow.table.key, parent: { [.of($0.ref.tenant)] }
        ) { .init($0.ref.description, givenAt: $0.createdAt, holder: $0.email) }
        rows.added = "added"
        rows.orphan = { "there is no tenant \($0.ref.tenant)" }
        return rows
    }()

    private static let grants: AddedRows<AppGrant, Account> = {
        var rows = AddedRows<AppGrant, Account>(
            "app grant", under: Account.table.key, parent: { [.of($0.account.tenant), .of($0.account.account)] }
        ) { grant in
            .init("\(grant.item) of \(grant.account)", .grant(grant.account, grant.item), givenAt: grant.grantedAt)
        }
        rows.added = "granted"
        rows.orphan = { "the account \($0.account) was not carried over" }
        rows.changes = { copied, later, _ in copied.giving(later) }
        rows.changeEvents = [.appGranted]
        return rows
    }()

    private static let credentials: AddedRows<AccountCredential, Account> = {
        var rows = AddedRows<AccountCredential, Account>(
            "account credential", under: Account.table.key,
            parent: { [.of($0.account.tenant), .of($0.account.account)] }
        ) { .init("\($0.kind.rawValue) of \($0.account)", givenAt: $0.createdAt) }
        rows.added = "created"
        rows.isGiven = { $0.kind != .session && $0.works(at: $1) }
        rows.loss = "credentials are lost; create another one"
        return rows
    }()
}
