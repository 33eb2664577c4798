import TenureCore
import TenureStore

extension SQL {
    private static let upsertKey = SQL(
        "INSERT INTO marketplace_keys (", MarketplaceKeyRecord.columns, ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ",
        MarketplaceKeyRecord.onConflict)
    private static let upsertAccount = SQL(
        "INSERT INTO accounts (", Account.columns, ") VALUES ($1, $2, $3, $4, $5) ", Account.onConflict)
    private static let upsertCredential = SQL(
        "INSERT INTO credentials (", AccountCredential.columns, ") VALUES ($1, $2, $3, $4, $5, $6, $7) ",
        AccountCredential.onConflict)
    private static let upsertGrant = SQL(
        "INSERT INTO app_grants (", AppGrant.columns, ") VALUES ($1, $2, $3, $4, $5, $6, $7) ", AppGrant.onConflict)
    private static let upsertLicenses = SQL(
        "INSERT INTO app_licenses (", AppLicense.columns, ") SELECT ", AppLicense.columns,
        """
         FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::bytea[],
            $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::text[], $14::bigint[],
            $15::bigint[], $16::boolean[]) AS w (
        """,
        AppLicense.columns, ") ", AppLicense.onConflict)
    private static let deleteCredentials = SQL("DELETE FROM credentials WHERE expires_at < $1 OR ended_at < $1")

    static func saving(_ key: MarketplaceKeyRecord) -> Statement {
        Statement(upsertKey, key.storedValues.map(Value.init))
    }

    static func saving(_ account: Account) -> Statement {
        Statement(upsertAccount, account.storedValues.map(Value.init))
    }

    static func saving(_ credential: AccountCredential) -> Statement {
        Statement(upsertCredential, credential.storedValues.map(Value.init))
    }

    static func forgettingCredentials(before moment: Timestamp) -> Statement {
        Statement(deleteCredentials, [.moment(moment)])
    }

    static func saving(_ grant: AppGrant) -> Statement {
        Statement(upsertGrant, grant.storedValues.map(Value.init))
    }

    /// Saves app licenses, each of them once.
    static func saving(_ licenses: [AppLicense]) -> Statement {
        let rows = licenses.map(\.storedValues)
        let columns = (rows.first ?? []).indices.map { place in Value.column(rows.map { $0[place] }) }
        return Statement(upsertLicenses, columns)
    }
}
