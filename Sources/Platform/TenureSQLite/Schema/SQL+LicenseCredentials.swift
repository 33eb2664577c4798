extension SQL {
    /// The credentials with which license holders authenticate on the page of their license.
    static let licenseCredentials = SQL(
        """
        CREATE TABLE license_credentials (
            hash BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
            license_id INTEGER NOT NULL REFERENCES licenses,
            kind TEXT NOT NULL CHECK (kind IN ('link', 'session')),
            created_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            ended_at INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX license_credentials_by_expiry ON license_credentials (expires_at);
        CREATE INDEX license_credentials_by_end ON license_credentials (ended_at) WHERE ended_at IS NOT NULL;
        """)
}
