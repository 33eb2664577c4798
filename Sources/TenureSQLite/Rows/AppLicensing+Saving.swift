import TenureCore
import TenureStore

extension SQL {
    private static let upsertKey = SQL(
        "INSERT INTO marketplace_keys (", MarketplaceKeyRecord.columns, ") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ",
        MarketplaceKeyRecord.onConflict)
    private static let upsertAccount = SQL(
        "INSERT INTO accounts (", Account.columns, ") VALUES (?1, ?2, ?3, ?4, ?5) ", Account.onConflict)
    private static let upsertCredential = SQL(
        "INSERT INTO credentials (", AccountCredential.columns, ") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ",
        AccountCredential.onConflict)
    private static let upsertGrant = SQL(
        "INSERT INTO app_grants (", AppGrant.columns, ") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ", AppGrant.onConflict)
    private static let upsertLicense = SQL(
        "INSERT INTO app_licenses (", AppLicense.columns,
        ") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16) ", AppLicense.onConflict)
    private static let deleteExpiredCredentials = SQL("DELETE FROM credentials WHERE expires_at < ?1")
    private static let deleteEndedCredentials = SQL("DELETE FROM credentials WHERE ended_at < ?1")

    static func save(_ key: MarketplaceKeyRecord, on connection: Connection) throws(StoreError) {
        try connection.run(upsertKey, key.storedValues.map(Value.init))
    }

    static func save(_ account: Account, on connection: Connection) throws(StoreError) {
        try connection.run(upsertAccount, account.storedValues.map(Value.init))
    }

    static func save(_ credential: AccountCredential, on connection: Connection) throws(StoreError) {
        try connection.run(upsertCredential, credential.storedValues.map(Value.init))
    }

    static func forgetCredentials(before moment: Timestamp, on connection: Connection) throws(StoreError) {
        try connection.run(deleteExpiredCredentials, [.moment(moment)])
        try connection.run(deleteEndedCredentials, [.moment(moment)])
    }

    static func save(_ grant: AppGrant, on connection: Connection) throws(StoreError) {
        try connection.run(upsertGrant, grant.storedValues.map(Value.init))
    }

    static func save(_ license: AppLicense, on connection: Connection) throws(StoreError) {
        try connection.run(upsertLicense, license.storedValues.map(Value.init))
    }
}
