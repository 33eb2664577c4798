import TenureCore
import TenureStore

extension SQL {
    static let licenseCredential = SQL(
        "SELECT ", LicenseCredential.columns, " FROM license_credentials WHERE hash = ?1")
    static let licenseCredentialsAfter = SQL(
        "SELECT ", LicenseCredential.columns, " FROM license_credentials WHERE hash > ?1 ORDER BY hash LIMIT ?2")
    private static let upsert = SQL(
        "INSERT INTO license_credentials (", LicenseCredential.columns, ") VALUES (?1, ?2, ?3, ?4, ?5, ?6) ",
        LicenseCredential.onConflict)
    private static let deleteExpired = SQL("DELETE FROM license_credentials WHERE expires_at < ?1")
    private static let deleteEnded = SQL("DELETE FROM license_credentials WHERE ended_at < ?1")

    static func save(_ credential: LicenseCredential, on connection: Connection) throws(StoreError) {
        try connection.run(upsert, credential.storedValues.map(Value.init))
    }

    static func forgetLicenseCredentials(before moment: Timestamp, on connection: Connection) throws(StoreError) {
        try connection.run(deleteExpired, [.moment(moment)])
        try connection.run(deleteEnded, [.moment(moment)])
    }
}
