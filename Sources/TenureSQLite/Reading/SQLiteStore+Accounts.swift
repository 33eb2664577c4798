public import TenureCore
public import TenureStore

extension SQLiteStore {
    /// Lists the accounts of a tenant in the order of their ids' bytes.
    public func accounts(
        of tenant: TenantID, after cursor: AccountID?, limit: Int
    ) async throws(StoreError) -> [Account] {
        let most = Value.integer(min(max(limit, 1), 1_000))
        return try readers.read { connection throws(StoreError) in
            try connection.all(.accounts, [.slug(tenant), .text(cursor?.text ?? ""), most], Account.read)
        }
    }

    /// Reads one account; nil when there is none of that name.
    public func account(_ ref: AccountRef) async throws(StoreError) -> Account? {
        try readers.read { connection throws(StoreError) in try connection.account(ref) }
    }

    /// Finds the account that has an e-mail address; nil when none or several do.
    public func account(email: String, of tenant: TenantID) async throws(StoreError) -> Account? {
        try readers.read { connection throws(StoreError) in
            let found = try connection.all(.accountsByEmail, [.slug(tenant), .text(email)], Account.read)
            return found.count == 1 ? found[0] : nil
        }
    }

    /// Reads a credential by the hash of its text; nil when there is none.
    public func credential(_ hash: Digest) async throws(StoreError) -> AccountCredential? {
        try readers.read { connection throws(StoreError) in try connection.credential(hash) }
    }

    /// Reads a credential of a license's holder by the hash of its text; nil when there is none.
    public func licenseCredential(_ hash: Digest) async throws(StoreError) -> LicenseCredential? {
        try readers.read { connection throws(StoreError) in try connection.licenseCredential(hash) }
    }

    /// Reads the grants of an account, in the order of their apps.
    public func appGrants(of account: AccountRef) async throws(StoreError) -> [AppGrant] {
        try readers.read { connection throws(StoreError) in
            try connection.all(
                .appGrantsOfAccount, [.slug(account.tenant), .text(account.account.text)], AppGrant.read)
        }
    }

    /// Reads a right of an account as it is at a moment.
    public func appRight(
        of account: AccountRef, to item: AppleItemID, at now: Timestamp
    ) async throws(StoreError) -> AppRight {
        try readers.read { connection throws(StoreError) in try connection.right(of: account, to: item, at: now) }
    }
}

extension Connection {
    func account(_ ref: AccountRef) throws(StoreError) -> Account? {
        try first(.account, [.slug(ref.tenant), .text(ref.account.text)], Account.read)
    }

    func credential(_ hash: Digest) throws(StoreError) -> AccountCredential? {
        try first(.credential, [.blob(hash)], AccountCredential.read)
    }

    func licenseCredential(_ hash: Digest) throws(StoreError) -> LicenseCredential? {
        try first(.licenseCredential, [.blob(hash)], LicenseCredential.read)
    }
}

extension SQL {
    fileprivate static let account = SQL(
        "SELECT ", Account.columns, " FROM accounts WHERE tenant = ?1 AND account = ?2")
    fileprivate static let accounts = SQL(
        "SELECT ", Account.columns, " FROM accounts WHERE tenant = ?1 AND account > ?2 ORDER BY account LIMIT ?3")
    fileprivate static let accountsByEmail = SQL(
        "SELECT ", Account.columns, " FROM accounts WHERE +tenant = ?1 AND email = ?2 COLLATE NOCASE LIMIT 2")
    fileprivate static let credential = SQL(
        "SELECT ", AccountCredential.columns, " FROM credentials WHERE hash = ?1")
    fileprivate static let appGrantsOfAccount = SQL(
        "SELECT ", AppGrant.columns, " FROM app_grants WHERE tenant = ?1 AND account = ?2 ORDER BY item")
}
