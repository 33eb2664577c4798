import TenureCore
import TenureStore

extension SQL {
    static let licenseCredential = SQL(
        "SELECT ", LicenseCredential.columns, " FROM license_credentials WHERE hash = $1")
    static let wantedLicenseCredentials = SQL(
        "SELECT ", LicenseCredential.columns, " FROM license_credentials WHERE hash = ANY ($1::bytea[])")
    static let licenseCredentialsAfter = SQL(
        "SELECT ", LicenseCredential.columns, " FROM license_credentials WHERE hash > $1 ORDER BY hash LIMIT $2")
    private static let upsert = SQL(
        "INSERT INTO license_credentials (", LicenseCredential.columns,
        """
        ) SELECT * FROM unnest($1::bytea[], $2::bigint[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[])

        """,
        LicenseCredential.onConflict)
    private static let delete = SQL("DELETE FROM license_credentials WHERE expires_at < $1 OR ended_at < $1")

    /// Saves credentials, each of them once.
    static func saving(_ credentials: [LicenseCredential]) -> Statement {
        Statement(
            upsert, columns(credentials.map(\.storedValues), [.blob, .integer, .text, .integer, .integer, .integer]))
    }

    static func forgettingLicenseCredentials(before moment: Timestamp) -> Statement {
        Statement(delete, [.moment(moment)])
    }
}
