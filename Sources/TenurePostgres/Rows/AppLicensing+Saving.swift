import TenureCore
import TenureStore

/// Rows of one kind are saved together, each of them once: `unnest` takes a column of each place of the rows.
extension SQL {
    static func saving(_ key: MarketplaceKeyRecord) -> Statement {
        Statement(upsertKey, key.storedValues.map(Value.init))
    }

    static func saving(_ assets: [AppAsset]) -> Statement {
        Statement(
            upsertAssets,
            columns(assets.map(\.storedValues), [.text, .integer, .integer, .text, .text, .blob, .flag]))
    }

    static func saving(_ accounts: [Account]) -> Statement {
        Statement(upsertAccounts, columns(accounts.map(\.storedValues), [.text, .text, .text, .text, .integer]))
    }

    static func saving(_ credentials: [AccountCredential]) -> Statement {
        Statement(
            upsertCredentials,
            columns(credentials.map(\.storedValues), [.blob, .text, .text, .text, .integer, .integer, .integer]))
    }

    static func forgettingCredentials(before moment: Timestamp) -> Statement {
        Statement(deleteCredentials, [.moment(moment)])
    }

    static func saving(_ grants: [AppGrant]) -> Statement {
        Statement(
            upsertGrants,
            columns(grants.map(\.storedValues), [.text, .text, .integer, .integer, .integer, .integer, .integer]))
    }

    static func saving(_ licenses: [AppLicense]) -> Statement {
        Statement(
            upsertLicenses,
            columns(
                licenses.map(\.storedValues),
                [
                    .integer, .text, .integer, .integer, .text, .text, .blob, .integer, .integer, .integer, .integer,
                    .integer, .text, .integer, .integer, .flag,
                ]))
    }

    static func columns(_ rows: [[StoredValue]], _ types: [ColumnType]) -> [Value] {
        types.indices.map { place in Value.column(rows.map { $0[place] }, as: types[place]) }
    }

    private static let upsertKey = SQL(
        "INSERT INTO marketplace_keys (", MarketplaceKeyRecord.columns, ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ",
        MarketplaceKeyRecord.onConflict)
    private static let upsertAssets = SQL(
        "INSERT INTO app_assets (", AppAsset.columns,
        """
        ) SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::bytea[],
            $7::boolean[])

        """,
        AppAsset.onConflict)
    private static let upsertAccounts = SQL(
        "INSERT INTO accounts (", Account.columns,
        ") SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[]) ", Account.onConflict)
    private static let upsertCredentials = SQL(
        "INSERT INTO credentials (", AccountCredential.columns,
        """
        ) SELECT * FROM unnest($1::bytea[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::bigint[],
            $7::bigint[])

        """,
        AccountCredential.onConflict)
    private static let deleteCredentials = SQL("DELETE FROM credentials WHERE expires_at < $1 OR ended_at < $1")
    private static let upsertGrants = SQL(
        "INSERT INTO app_grants (", AppGrant.columns,
        """
        ) SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[],
            $7::bigint[])

        """,
        AppGrant.onConflict)
    private static let upsertLicenses = SQL(
        "INSERT INTO app_licenses (", AppLicense.columns,
        """
        ) SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::bytea[],
            $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::text[], $14::bigint[],
            $15::bigint[], $16::boolean[])

        """,
        AppLicense.onConflict)
}
