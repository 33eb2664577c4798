package import TenureCore
import TenureFormats
package import TenureMarketplace
package import TenureStore

extension RecordStore {
    /// Reads an account; `nil` if it doesn't exist.
    package func account(_ ref: AccountRef) async throws(Failure) -> Account? {
        let plan = AccountQueryPlans.account
        return try await fetch(plan.bind(ref))[plan.queries]
    }

    /// Lists a tenant's accounts with an e-mail address, compared by its fold, oldest first.
    ///
    /// A cursor that isn't an account of the tenant is ignored: the account may have been removed since.
    package func accounts(
        email: String, of tenant: TenantID, after cursor: AccountID?, limit: Int
    ) async throws(Failure) -> [Account] {
        var last: Account?
        if let cursor { last = try await account(AccountRef(tenant: tenant, account: cursor)) }
        return try await list(
            Listing(
                Account.byEmail, [.of(tenant), .of(FoldedText(email))],
                after: last.map { [.of($0.createdAt), .of(tenant), .of($0.ref.account)] } ?? [],
                limit: pageSize(limit)))
    }

    /// Reads a credential by the hash of its text; `nil` if it doesn't exist.
    package func credential(_ hash: Digest) async throws(Failure) -> AccountCredential? {
        let plan = AccountQueryPlans.credential
        return try await fetch(plan.bind(hash))[plan.queries]
    }

    /// Reads the credentials of an account that haven't been deleted, oldest first.
    package func credentials(of account: AccountRef) async throws(Failure) -> [AccountCredential] {
        let plan = AccountQueryPlans.credentials
        return try await fetch(plan.bind(account))[plan.queries]
            .sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }

    /// Reads the credentials with an id, at most two.
    ///
    /// Two exist only if the first 64 bits of their hashes were made to collide deliberately.
    func credentials(named id: String) async throws(Failure) -> [AccountCredential] {
        guard let (first, last) = AccountCredential.range(ofID: id) else { return [] }
        return try await list(
            Listing(
                AccountCredential.table.all,
                where: [[Comparison("hash", .atLeast(.blob(first))), Comparison("hash", .atMost(.blob(last)))]],
                limit: 2))
    }

    /// Reads the grants of an account, sorted by app, including ended ones.
    package func appGrants(of account: AccountRef) async throws(Failure) -> [AppGrant] {
        let plan = AccountQueryPlans.grants
        return try await fetch(plan.bind(account))[plan.queries]
    }

    /// Reads an account's right to an app: its grant, and the devices that count toward the limits at that time.
    package func appRight(
        of account: AccountRef, to item: AppleItemID, at now: Timestamp
    ) async throws(Failure) -> AppGrant.Right {
        let plan = AccountQueryPlans.right
        let results = try await fetch(plan.bind(.init(account: account, item: item, now: now)))
        return AppGrant.Right(grant: results[plan.queries.grant], devices: results[plan.queries.devices])
    }
}

extension Reading {
    /// Lists a tenant's accounts after the cursor, sorted by the bytes of their ids, at most `limit` (1...1000).
    package func accounts(
        of tenant: TenantID, after cursor: AccountID?, limit: Int
    ) async throws(Failure) -> [Account] {
        try await list(
            Listing(
                Account.ofTenant, [.of(tenant)], after: cursor.map { [.of(tenant), .of($0)] } ?? [],
                limit: pageSize(limit)))
    }

    /// Finds a tenant's account with an id, compared by its fold; `nil` unless exactly one that wasn't deleted matches.
    package func account(named name: String, of tenant: TenantID) async throws(Failure) -> Account? {
        let found = try await list(Listing(Account.byName, [.of(tenant), .of(FoldedText(name))], limit: 2))
        return found.count == 1 ? found[0] : nil
    }

    /// Finds a tenant's account with an e-mail address, compared by its fold; `nil` unless exactly one matches.
    package func account(email: String, of tenant: TenantID) async throws(Failure) -> Account? {
        let found = try await list(Listing(Account.byEmail, [.of(tenant), .of(FoldedText(email))], limit: 2))
        return found.count == 1 ? found[0] : nil
    }
}

extension AccountCredential {
    /// The range of hashes that start with an id's bytes; `nil` if the text isn't a credential id.
    static func range(ofID id: String) -> (first: [UInt8], last: [UInt8])? {
        guard id.hasPrefix("cred_"), let bytes = Hex.decode(String(id.dropFirst(5))), bytes.count == idLength else {
            return nil
        }
        let rest = 32 - bytes.count
        return (bytes + [UInt8](repeating: 0, count: rest), bytes + [UInt8](repeating: 255, count: rest))
    }
}

private enum AccountQueryPlans {
    struct Right: Sendable {
        let grant: RowQuery<AppGrant>
        let devices: NamedRowsQuery<AppDevice>

        struct Parameters: Sendable {
            let account: AccountRef
            let item: AppleItemID
            let now: Timestamp
        }

        init(_ query: inout QueryBuilder<Parameters>) {
            grant = query.row(AppGrant.table.key) {
                [.of($0.account.tenant), .of($0.account.account), .of($0.item)]
            }
            devices = query.view(AppDevice.ofRights) {
                [.of($0.account.tenant), .of($0.account.account), .of($0.item), .of($0.now)]
            }
        }
    }

    static let account = QueryPlan(for: AccountRef.self) { query in
        query.row(Account.table.key) { [.of($0.tenant), .of($0.account)] }
    }
    static let credential = QueryPlan(for: Digest.self) { query in query.row(AccountCredential.table.key) { [.of($0)] }
    }
    static let credentials = QueryPlan(for: AccountRef.self) { query in
        query.rows(AccountCredential.ofAccount, upTo: .everything) { [.of($0.tenant), .of($0.account)] }
    }
    static let grants = QueryPlan(for: AccountRef.self) { query in
        query.rows(AppGrant.ofAccount, upTo: .everything) { [.of($0.tenant), .of($0.account)] }
    }
    static let right = QueryPlan(Right.init)
}
