import TenureCore
import TenureStore

extension SigningKeyRecord {
    static func read(_ row: Row) throws(StoreError) -> SigningKeyRecord {
        guard let standing = Standing(rawValue: row.text(2)) else { throw .unreadable("a signing key's standing") }
        return SigningKeyRecord(
            tenant: try row.slug(0), kid: row.text(1), standing: standing, publicKey: row.bytes(3),
            sealedSeed: row.bytes(4), createdAt: row.moment(5), publishedUntil: row.optionalMoment(6))
    }
}

extension SQL {
    private static let signingKeyColumns: StaticString =
        "SELECT tenant, kid, standing, public_key, sealed_seed, created_at, published_until FROM signing_keys"
    static let signingKeys = SQL(signingKeyColumns, " ORDER BY created_at, tenant, kid")
    static let signingKeysByName = SQL(signingKeyColumns, " ORDER BY tenant, kid")
    static let signingKeysOfTenant = SQL(signingKeyColumns, " WHERE tenant = $1 ORDER BY created_at, kid")

    private static let insertSigningKey = SQL(
        """
        INSERT INTO signing_keys (tenant, kid, standing, public_key, sealed_seed, created_at, published_until)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
        ON CONFLICT (tenant, kid) DO UPDATE SET standing = excluded.standing, sealed_seed = excluded.sealed_seed,
            published_until = excluded.published_until
        """)

    static func saving(_ key: SigningKeyRecord) -> Statement {
        Statement(
            insertSigningKey,
            [
                .slug(key.tenant), .text(key.kid), .text(key.standing.rawValue), .blob(key.publicKey),
                .blob(key.sealedSeed), .moment(key.createdAt), .moment(key.publishedUntil),
            ])
    }
}
