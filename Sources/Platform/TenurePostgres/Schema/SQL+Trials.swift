extension SQL {
    /// The start of each device's trial, which survives when a product is removed and created again.
    static let trials = SQL(
        """
        CREATE TABLE trials (
            tenant text COLLATE "C" NOT NULL REFERENCES tenants,
            product text COLLATE "C" NOT NULL,
            device bytea NOT NULL CHECK (length(device) = 32),
            started_at bigint NOT NULL,
            recorded_at bigint NOT NULL,
            PRIMARY KEY (tenant, product, device)
        );
        """)
}
