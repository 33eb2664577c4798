extension SQL {
    /// The catalog, software licenses with their activations and events, signing keys, tokens and settings.
    ///
    /// Timestamps are POSIX seconds. Names are compared by their bytes, as everywhere in Tenure.
    static let softwareLicenses = SQL(
        """
        CREATE TABLE tenants (
            tenant text COLLATE "C" PRIMARY KEY,
            name text NOT NULL
        );

        CREATE TABLE products (
            tenant text COLLATE "C" NOT NULL REFERENCES tenants,
            product text COLLATE "C" NOT NULL,
            name text NOT NULL,
            key_prefix text NOT NULL,
            trial_days bigint NOT NULL,
            free_tier boolean NOT NULL,
            sdk_key_hash bytea CHECK (length(sdk_key_hash) = 32),
            PRIMARY KEY (tenant, product)
        );

        CREATE TABLE policies (
            tenant text COLLATE "C" NOT NULL,
            product text COLLATE "C" NOT NULL,
            policy text COLLATE "C" NOT NULL,
            name text NOT NULL,
            duration_days bigint,
            activation_limit bigint,
            entitlements text NOT NULL,
            fallback_access boolean NOT NULL,
            lease_days bigint NOT NULL,
            grace_days bigint NOT NULL,
            PRIMARY KEY (tenant, product, policy),
            FOREIGN KEY (tenant, product) REFERENCES products
        );

        CREATE TABLE catalog_version (
            only_row boolean PRIMARY KEY CHECK (only_row),
            version bigint NOT NULL
        );
        INSERT INTO catalog_version VALUES (true, 0);

        CREATE TABLE licenses (
            id bigint PRIMARY KEY CHECK (id >= 0),
            tenant text COLLATE "C" NOT NULL,
            product text COLLATE "C" NOT NULL,
            policy text COLLATE "C" NOT NULL,
            state text COLLATE "C" NOT NULL
                CHECK (state IN ('issued', 'active', 'suspended', 'expired', 'revoked', 'returned')),
            term_start bigint NOT NULL,
            term_end bigint CHECK (term_end >= term_start),
            issued_at bigint NOT NULL,
            first_activated_at bigint,
            key_masked text NOT NULL,
            holder text COLLATE "C",
            key_hash bytea NOT NULL CHECK (length(key_hash) = 32),
            FOREIGN KEY (tenant, product, policy) REFERENCES policies
        );
        CREATE UNIQUE INDEX licenses_by_key ON licenses (key_hash, tenant, product);
        CREATE INDEX licenses_by_product ON licenses (tenant, product, id);
        CREATE INDEX licenses_by_policy ON licenses (tenant, product, policy);
        CREATE INDEX licenses_by_holder ON licenses (holder) WHERE holder IS NOT NULL;
        CREATE INDEX licenses_to_expire ON licenses (term_end)
            WHERE state IN ('issued', 'active') AND term_end IS NOT NULL;

        CREATE TABLE activations (
            id uuid PRIMARY KEY,
            license_id bigint NOT NULL REFERENCES licenses,
            activated_at bigint NOT NULL,
            last_seen_at bigint NOT NULL,
            released_at bigint,
            name text NOT NULL,
            identity text COLLATE "C"
        ) WITH (fillfactor = 85);
        CREATE INDEX activations_by_license ON activations (license_id, released_at, identity);

        CREATE TABLE events (
            sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            at bigint NOT NULL,
            kind text NOT NULL,
            tenant text COLLATE "C" NOT NULL,
            product text COLLATE "C" NOT NULL,
            license_id bigint NOT NULL,
            activation_id uuid,
            actor text NOT NULL,
            detail text NOT NULL
        );
        CREATE INDEX events_by_license ON events (license_id, sequence);
        CREATE INDEX events_by_tenant ON events (tenant, sequence);

        CREATE TABLE signing_keys (
            tenant text COLLATE "C" NOT NULL REFERENCES tenants,
            kid text COLLATE "C" NOT NULL,
            standing text NOT NULL CHECK (standing IN ('primary', 'retiring', 'retired')),
            public_key bytea NOT NULL,
            sealed_seed bytea NOT NULL,
            created_at bigint NOT NULL,
            published_until bigint,
            PRIMARY KEY (tenant, kid)
        );

        CREATE TABLE tokens (
            id text COLLATE "C" PRIMARY KEY,
            tenant text COLLATE "C" NOT NULL REFERENCES tenants,
            name text NOT NULL,
            scopes text NOT NULL,
            hash bytea NOT NULL UNIQUE CHECK (length(hash) = 32),
            created_at bigint NOT NULL,
            expires_at bigint,
            revoked_at bigint
        );

        CREATE TABLE settings (
            name text COLLATE "C" PRIMARY KEY,
            value bytea NOT NULL
        );
        """)
}
