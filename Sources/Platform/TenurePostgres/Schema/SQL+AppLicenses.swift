extension SQL {
    /// Marketplaces with their apps and keys, accounts with their credentials, app grants and app licenses.
    ///
    /// Accounts, grants and keys belong to the tenant, so that they survive when a marketplace is removed and created
    /// again. Unsigned 64-bit numbers are stored as their bit patterns. Events without a product store an empty product
    /// name, and events without a license store -1, as in SQLite, which can't drop a `NOT NULL`.
    static let appLicenses = SQL(
        """
        CREATE TABLE marketplaces (
            tenant text COLLATE "C" PRIMARY KEY REFERENCES tenants,
            name text NOT NULL,
            domain text COLLATE "C" NOT NULL UNIQUE,
            apple_item_id bigint,
            bundle_id text,
            polling_interval_hours bigint NOT NULL,
            access text NOT NULL CHECK (access IN ('open', 'token')),
            resolution_page boolean NOT NULL,
            support_email text,
            overrides text NOT NULL
        );

        CREATE TABLE apps (
            tenant text COLLATE "C" NOT NULL REFERENCES marketplaces,
            item bigint NOT NULL CHECK (item > 0),
            bundle_id text,
            name text,
            share_url text,
            package_url text,
            is_withdrawn boolean NOT NULL,
            duration_days bigint,
            jitter_percent bigint NOT NULL,
            device_limit bigint,
            revoke_on_takedown boolean NOT NULL,
            renew_after_expiry_days bigint,
            renew_ahead_days bigint NOT NULL,
            PRIMARY KEY (tenant, item)
        );

        CREATE TABLE app_versions (
            tenant text COLLATE "C" NOT NULL,
            item bigint NOT NULL,
            version bigint NOT NULL CHECK (version > 0),
            short_version text NOT NULL,
            bundle_version text NOT NULL,
            PRIMARY KEY (tenant, item, version),
            FOREIGN KEY (tenant, item) REFERENCES apps
        );

        CREATE TABLE app_assets (
            tenant text COLLATE "C" NOT NULL,
            item bigint NOT NULL,
            version bigint NOT NULL,
            asset text COLLATE "C" NOT NULL,
            kind text NOT NULL CHECK (kind IN ('variant', 'delta')),
            key_blob bytea CHECK (length(key_blob) <= 4096),
            is_simulated boolean NOT NULL,
            PRIMARY KEY (tenant, item, version, asset),
            FOREIGN KEY (tenant, item, version) REFERENCES app_versions
        );
        CREATE INDEX app_assets_with_key ON app_assets (tenant, item, version, asset) WHERE key_blob IS NOT NULL;

        CREATE TABLE marketplace_keys (
            tenant text COLLATE "C" NOT NULL REFERENCES tenants,
            purpose text COLLATE "C" NOT NULL CHECK (purpose IN ('encryption', 'signing', 'distribution', 'pask')),
            kid text COLLATE "C" NOT NULL,
            origin text NOT NULL CHECK (origin IN ('simulated', 'imported')),
            certificate bytea NOT NULL,
            sealed_secret bytea,
            created_at bigint NOT NULL,
            named_from bigint NOT NULL,
            PRIMARY KEY (tenant, purpose, kid)
        );

        CREATE TABLE accounts (
            tenant text COLLATE "C" NOT NULL REFERENCES tenants,
            account text COLLATE "C" NOT NULL,
            email text COLLATE "C",
            password_hash text,
            created_at bigint NOT NULL,
            PRIMARY KEY (tenant, account)
        );
        CREATE INDEX accounts_by_email ON accounts (tenant, lower(email)) WHERE email IS NOT NULL;

        CREATE TABLE credentials (
            hash bytea PRIMARY KEY CHECK (length(hash) = 32),
            tenant text COLLATE "C" NOT NULL,
            account text COLLATE "C" NOT NULL,
            kind text NOT NULL CHECK (kind IN ('token', 'link', 'session')),
            created_at bigint NOT NULL,
            expires_at bigint,
            ended_at bigint,
            FOREIGN KEY (tenant, account) REFERENCES accounts
        );
        CREATE INDEX credentials_by_expiry ON credentials (expires_at) WHERE expires_at IS NOT NULL;
        CREATE INDEX credentials_by_end ON credentials (ended_at) WHERE ended_at IS NOT NULL;

        CREATE TABLE app_grants (
            tenant text COLLATE "C" NOT NULL,
            account text COLLATE "C" NOT NULL,
            item bigint NOT NULL CHECK (item > 0),
            term_start bigint NOT NULL,
            term_end bigint CHECK (term_end >= term_start),
            granted_at bigint NOT NULL,
            ended_at bigint,
            PRIMARY KEY (tenant, account, item),
            FOREIGN KEY (tenant, account) REFERENCES accounts
        );

        CREATE TABLE app_licenses (
            id bigint PRIMARY KEY CHECK (id >= 0),
            tenant text COLLATE "C" NOT NULL,
            item bigint NOT NULL,
            version bigint NOT NULL,
            asset text COLLATE "C" NOT NULL,
            account text COLLATE "C",
            device bytea NOT NULL CHECK (length(device) = 32),
            request bigint NOT NULL,
            issued_at bigint NOT NULL,
            term_start bigint NOT NULL,
            term_end bigint CHECK (term_end >= term_start),
            term_request bigint NOT NULL,
            state text NOT NULL CHECK (state IN ('active', 'suspended', 'revoked', 'returned')),
            stopped_at bigint,
            failed_at bigint,
            is_replaced boolean NOT NULL,
            FOREIGN KEY (tenant, item) REFERENCES apps,
            FOREIGN KEY (tenant, account) REFERENCES accounts
        );
        CREATE INDEX app_licenses_by_app ON app_licenses (tenant, item, id);
        CREATE INDEX app_licenses_by_device ON app_licenses (device, tenant, item);
        CREATE INDEX app_licenses_by_account ON app_licenses (tenant, account, item) WHERE account IS NOT NULL;
        CREATE INDEX app_licenses_to_renew ON app_licenses (term_end, tenant, failed_at)
            WHERE state = 'active' AND NOT is_replaced AND term_end IS NOT NULL;

        ALTER TABLE events ADD COLUMN app bigint, ADD COLUMN account text COLLATE "C";
        CREATE INDEX events_by_account ON events (tenant, account, sequence) WHERE account IS NOT NULL;
        """)
}
