extension SQL {
    /// The start of each device's trial, which survives when a product is removed and created again.
    static let trials = SQL(
        """
        CREATE TABLE trials (
            tenant TEXT NOT NULL REFERENCES tenants,
            product TEXT NOT NULL,
            device BLOB NOT NULL CHECK (length(device) = 32),
            started_at INTEGER NOT NULL,
            recorded_at INTEGER NOT NULL,
            PRIMARY KEY (tenant, product, device)
        ) STRICT, WITHOUT ROWID;
        """)
}
