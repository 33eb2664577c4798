public import TenureCore
public import TenureStore

extension PostgresStore {
    /// Lists the accounts of a tenant in the order of their ids' bytes.
    public func accounts(
        of tenant: TenantID, after cursor: AccountID?, limit: Int
    ) async throws(StoreError) -> [Account] {
        let most = Value.integer(min(max(limit, 1), 1_000))
        return try await readers.read { connection throws(StoreError) in
            try connection.all(.accounts, [.slug(tenant), .text(cursor?.text ?? ""), most], Account.read)
        }
    }

    /// Reads one account; nil when there is none of that name.
    public func account(_ ref: AccountRef) async throws(StoreError) -> Account? {
        try await lookups.read { connection throws(StoreError) in
            try connection.first(.account, ref.values, Account.read)
        }
    }

    /// Finds the account that has an e-mail address; nil when none or several do.
    public func account(email: String, of tenant: TenantID) async throws(StoreError) -> Account? {
        try await readers.read { connection throws(StoreError) in
            let found = try connection.all(.accountsByEmail, [.slug(tenant), .text(email)], Account.read)
            return found.count == 1 ? found[0] : nil
        }
    }

    /// Reads a credential by the hash of its text; nil when there is none.
    public func credential(_ hash: Digest) async throws(StoreError) -> AccountCredential? {
        try await lookups.read { connection throws(StoreError) in
            try connection.first(.credential, [.blob(hash)], AccountCredential.read)
        }
    }

    /// Reads a credential of a license's holder by the hash of its text; nil when there is none.
    public func licenseCredential(_ hash: Digest) async throws(StoreError) -> LicenseCredential? {
        try await lookups.read { connection throws(StoreError) in
            try connection.first(.licenseCredential, [.blob(hash)], LicenseCredential.read)
        }
    }

    /// Reads the grants of an account, in the order of their apps.
    public func appGrants(of account: AccountRef) async throws(StoreError) -> [AppGrant] {
        try await readers.read { connection throws(StoreError) in
            try connection.all(
                .appGrantsOfAccount, account.values, AppGrant.read)
        }
    }

    /// Reads a right of an account as it is at a moment.
    public func appRight(
        of account: AccountRef, to item: AppleItemID, at now: Timestamp
    ) async throws(StoreError) -> AppRight {
        try await readers.read { connection throws(StoreError) in
            let name = account.values + [Value(.item(item))]
            let enough = Int64(AppLicenseRules.highestDeviceLimit + 1)
            let answers = try connection.readConsistently([
                Statement(.appGrant, name), Statement(.appHolders, name + [.moment(now), .integer(enough)]),
            ])
            let holders = try answers[1].all { row throws(StoreError) in try row.digest(0) }
            return AppRight(grant: try answers[0].first(AppGrant.read), holders: Set(holders))
        }
    }
}

extension AccountRef {
    fileprivate var values: [Value] { [.slug(tenant), .text(account.text)] }
}

extension SQL {
    fileprivate static let account = SQL(
        "SELECT ", Account.columns, " FROM accounts WHERE tenant = $1 AND account = $2")
    fileprivate static let accounts = SQL(
        "SELECT ", Account.columns, " FROM accounts WHERE tenant = $1 AND account > $2 ORDER BY account LIMIT $3")
    fileprivate static let accountsByEmail = SQL(
        "SELECT ", Account.columns,
        " FROM accounts WHERE tenant = $1 AND lower(email) = lower($2 COLLATE \"C\") LIMIT 2")
    fileprivate static let credential = SQL(
        "SELECT ", AccountCredential.columns, " FROM credentials WHERE hash = $1")
    fileprivate static let appGrantsOfAccount = SQL(
        "SELECT ", AppGrant.columns, " FROM app_grants WHERE tenant = $1 AND account = $2 ORDER BY item")
    fileprivate static let appGrant = SQL(
        "SELECT ", AppGrant.columns, " FROM app_grants WHERE tenant = $1 AND account = $2 AND item = $3")
    fileprivate static let appHolders = SQL(
        """
        SELECT DISTINCT device FROM app_licenses
        WHERE tenant = $1 AND account = $2 AND item = $3 AND state IN ('active', 'suspended')
            AND coalesce(term_end, 9223372036854775807) > $4
        LIMIT $5
        """)
}
