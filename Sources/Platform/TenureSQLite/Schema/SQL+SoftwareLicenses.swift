extension SQL {
    /// The catalog, software licenses with their activations and events, signing keys, tokens and settings.
    static let softwareLicenses = SQL(
        """
        CREATE TABLE tenants (
            tenant TEXT NOT NULL PRIMARY KEY,
            name TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE products (
            tenant TEXT NOT NULL REFERENCES tenants,
            product TEXT NOT NULL,
            name TEXT NOT NULL,
            key_prefix TEXT NOT NULL,
            trial_days INTEGER NOT NULL,
            free_tier INTEGER NOT NULL CHECK (free_tier IN (0, 1)),
            sdk_key_hash BLOB CHECK (length(sdk_key_hash) = 32),
            PRIMARY KEY (tenant, product)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE policies (
            tenant TEXT NOT NULL,
            product TEXT NOT NULL,
            policy TEXT NOT NULL,
            name TEXT NOT NULL,
            duration_days INTEGER,
            activation_limit INTEGER,
            entitlements TEXT NOT NULL,
            fallback_access INTEGER NOT NULL CHECK (fallback_access IN (0, 1)),
            lease_days INTEGER NOT NULL,
            grace_days INTEGER NOT NULL,
            PRIMARY KEY (tenant, product, policy),
            FOREIGN KEY (tenant, product) REFERENCES products
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE catalog_version (
            only INTEGER PRIMARY KEY CHECK (only = 1),
            version INTEGER NOT NULL
        ) STRICT;
        INSERT INTO catalog_version VALUES (1, 0);

        CREATE TABLE licenses (
            id INTEGER PRIMARY KEY CHECK (id >= 0),
            tenant TEXT NOT NULL,
            product TEXT NOT NULL,
            policy TEXT NOT NULL,
            state TEXT NOT NULL
                CHECK (state IN ('issued', 'active', 'suspended', 'expired', 'revoked', 'returned')),
            term_start INTEGER NOT NULL,
            term_end INTEGER CHECK (term_end >= term_start),
            issued_at INTEGER NOT NULL,
            first_activated_at INTEGER,
            key_masked TEXT NOT NULL,
            holder TEXT,
            key_hash BLOB NOT NULL CHECK (length(key_hash) = 32),
            FOREIGN KEY (tenant, product, policy) REFERENCES policies
        ) STRICT;
        CREATE UNIQUE INDEX licenses_by_key ON licenses (key_hash, tenant, product);
        CREATE INDEX licenses_by_product ON licenses (tenant, product, id);
        CREATE INDEX licenses_by_policy ON licenses (tenant, product, policy);
        CREATE INDEX licenses_by_holder ON licenses (holder) WHERE holder IS NOT NULL;
        CREATE INDEX licenses_to_expire ON licenses (term_end)
            WHERE state IN ('issued', 'active') AND term_end IS NOT NULL;

        CREATE TABLE activations (
            id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
            license_id INTEGER NOT NULL REFERENCES licenses,
            activated_at INTEGER NOT NULL,
            last_seen_at INTEGER NOT NULL,
            released_at INTEGER,
            name TEXT NOT NULL,
            identity TEXT
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX activations_by_license ON activations (license_id, released_at, identity);

        CREATE TABLE events (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT,
            at INTEGER NOT NULL,
            kind TEXT NOT NULL,
            tenant TEXT NOT NULL,
            product TEXT NOT NULL,
            license_id INTEGER NOT NULL,
            activation_id BLOB CHECK (length(activation_id) = 16),
            actor TEXT NOT NULL,
            detail TEXT NOT NULL
        ) STRICT;
        CREATE INDEX events_by_license ON events (license_id);
        CREATE INDEX events_by_tenant ON events (tenant);

        CREATE TABLE signing_keys (
            tenant TEXT NOT NULL REFERENCES tenants,
            kid TEXT NOT NULL,
            standing TEXT NOT NULL CHECK (standing IN ('primary', 'retiring', 'retired')),
            public_key BLOB NOT NULL,
            sealed_seed BLOB NOT NULL,
            created_at INTEGER NOT NULL,
            published_until INTEGER,
            PRIMARY KEY (tenant, kid)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE tokens (
            id TEXT NOT NULL PRIMARY KEY,
            tenant TEXT NOT NULL REFERENCES tenants,
            name TEXT NOT NULL,
            scopes TEXT NOT NULL,
            hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
            created_at INTEGER NOT NULL,
            expires_at INTEGER,
            revoked_at INTEGER
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE settings (
            name TEXT NOT NULL PRIMARY KEY,
            value BLOB NOT NULL
        ) STRICT, WITHOUT ROWID;
        """)
}
