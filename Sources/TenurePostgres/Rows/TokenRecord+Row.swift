import TenureCore
import TenureStore

extension TokenRecord {
    static func read(_ row: Row) throws(StoreError) -> TokenRecord {
        TokenRecord(
            id: row.text(0), tenant: try row.slug(1), name: row.text(2), scopes: TokenRecord.scopes(code: row.text(3)),
            hash: try row.digest(4), createdAt: row.moment(5), expiresAt: row.optionalMoment(6),
            revokedAt: row.optionalMoment(7))
    }
}

extension SQL {
    private static let tokenColumns: StaticString =
        "SELECT id, tenant, name, scopes, hash, created_at, expires_at, revoked_at FROM tokens"
    static let tokens = SQL(tokenColumns, " ORDER BY created_at, id")
    static let tokensByID = SQL(tokenColumns, " ORDER BY id")
    static let tokensOfTenant = SQL(tokenColumns, " WHERE tenant = $1 ORDER BY created_at, id")

    private static let insertToken = SQL(
        """
        INSERT INTO tokens (id, tenant, name, scopes, hash, created_at, expires_at, revoked_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        ON CONFLICT (id) DO UPDATE SET name = excluded.name, revoked_at = excluded.revoked_at
        """)

    static func saving(_ token: TokenRecord) -> Statement {
        Statement(
            insertToken,
            [
                .text(token.id), .slug(token.tenant), .text(token.name), .text(TokenRecord.code(token.scopes)),
                .blob(token.hash), .moment(token.createdAt), .moment(token.expiresAt), .moment(token.revokedAt),
            ])
    }
}
