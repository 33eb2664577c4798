extension SQL {
    /// Marketplaces with their apps and keys, accounts with their credentials, app grants and app licenses.
    ///
    /// Accounts, grants and keys belong to the tenant, so that they survive when a marketplace is removed and created
    /// again. Unsigned 64-bit numbers are stored as their bit patterns. Events without a product store an empty product
    /// name, and events without a license store -1. SQLite can't drop a `NOT NULL` without rewriting the whole table. A
    /// partial index that should cover a query also includes the columns of its own condition.
    static let appLicenses = SQL(
        """
        CREATE TABLE marketplaces (
            tenant TEXT NOT NULL PRIMARY KEY REFERENCES tenants,
            name TEXT NOT NULL,
            domain TEXT NOT NULL UNIQUE,
            apple_item_id INTEGER,
            bundle_id TEXT,
            polling_interval_hours INTEGER NOT NULL,
            access TEXT NOT NULL CHECK (access IN ('open', 'token')),
            resolution_page INTEGER NOT NULL CHECK (resolution_page IN (0, 1)),
            support_email TEXT,
            overrides TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE apps (
            tenant TEXT NOT NULL REFERENCES marketplaces,
            item INTEGER NOT NULL CHECK (item > 0),
            bundle_id TEXT,
            name TEXT,
            share_url TEXT,
            package_url TEXT,
            is_withdrawn INTEGER NOT NULL CHECK (is_withdrawn IN (0, 1)),
            duration_days INTEGER,
            jitter_percent INTEGER NOT NULL,
            device_limit INTEGER,
            revoke_on_takedown INTEGER NOT NULL CHECK (revoke_on_takedown IN (0, 1)),
            renew_after_expiry_days INTEGER,
            renew_ahead_days INTEGER NOT NULL,
            PRIMARY KEY (tenant, item)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE app_versions (
            tenant TEXT NOT NULL,
            item INTEGER NOT NULL,
            version INTEGER NOT NULL CHECK (version > 0),
            short_version TEXT NOT NULL,
            bundle_version TEXT NOT NULL,
            PRIMARY KEY (tenant, item, version),
            FOREIGN KEY (tenant, item) REFERENCES apps
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE app_assets (
            tenant TEXT NOT NULL,
            item INTEGER NOT NULL,
            version INTEGER NOT NULL,
            asset TEXT NOT NULL,
            kind TEXT NOT NULL CHECK (kind IN ('variant', 'delta')),
            key_blob BLOB CHECK (length(key_blob) <= 4096),
            is_simulated INTEGER NOT NULL CHECK (is_simulated IN (0, 1)),
            PRIMARY KEY (tenant, item, version, asset),
            FOREIGN KEY (tenant, item, version) REFERENCES app_versions
        ) STRICT;
        CREATE INDEX app_assets_with_key ON app_assets (tenant, item, version, asset) WHERE key_blob IS NOT NULL;

        CREATE TABLE marketplace_keys (
            tenant TEXT NOT NULL REFERENCES tenants,
            purpose TEXT NOT NULL CHECK (purpose IN ('encryption', 'signing', 'distribution', 'pask')),
            kid TEXT NOT NULL,
            origin TEXT NOT NULL CHECK (origin IN ('simulated', 'imported')),
            certificate BLOB NOT NULL,
            sealed_secret BLOB,
            created_at INTEGER NOT NULL,
            named_from INTEGER NOT NULL,
            PRIMARY KEY (tenant, purpose, kid)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE accounts (
            tenant TEXT NOT NULL REFERENCES tenants,
            account TEXT NOT NULL,
            email TEXT,
            password_hash TEXT,
            created_at INTEGER NOT NULL,
            PRIMARY KEY (tenant, account)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX accounts_by_email ON accounts (email COLLATE NOCASE) WHERE email IS NOT NULL;

        CREATE TABLE credentials (
            hash BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
            tenant TEXT NOT NULL,
            account TEXT NOT NULL,
            kind TEXT NOT NULL CHECK (kind IN ('token', 'link', 'session')),
            created_at INTEGER NOT NULL,
            expires_at INTEGER,
            ended_at INTEGER,
            FOREIGN KEY (tenant, account) REFERENCES accounts
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX credentials_by_expiry ON credentials (expires_at) WHERE expires_at IS NOT NULL;
        CREATE INDEX credentials_by_end ON credentials (ended_at) WHERE ended_at IS NOT NULL;

        CREATE TABLE app_grants (
            tenant TEXT NOT NULL,
            account TEXT NOT NULL,
            item INTEGER NOT NULL CHECK (item > 0),
            term_start INTEGER NOT NULL,
            term_end INTEGER CHECK (term_end >= term_start),
            granted_at INTEGER NOT NULL,
            ended_at INTEGER,
            PRIMARY KEY (tenant, account, item),
            FOREIGN KEY (tenant, account) REFERENCES accounts
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE app_licenses (
            id INTEGER PRIMARY KEY CHECK (id >= 0),
            tenant TEXT NOT NULL,
            item INTEGER NOT NULL,
            version INTEGER NOT NULL,
            asset TEXT NOT NULL,
            account TEXT,
            device BLOB NOT NULL CHECK (length(device) = 32),
            request INTEGER NOT NULL,
            issued_at INTEGER NOT NULL,
            term_start INTEGER NOT NULL,
            term_end INTEGER CHECK (term_end >= term_start),
            term_request INTEGER NOT NULL,
            state TEXT NOT NULL CHECK (state IN ('active', 'suspended', 'revoked', 'returned')),
            stopped_at INTEGER,
            failed_at INTEGER,
            is_replaced INTEGER NOT NULL CHECK (is_replaced IN (0, 1)),
            FOREIGN KEY (tenant, item) REFERENCES apps,
            FOREIGN KEY (tenant, account) REFERENCES accounts
        ) STRICT;
        CREATE INDEX app_licenses_by_app ON app_licenses (tenant, item, id);
        CREATE INDEX app_licenses_by_device ON app_licenses (device, tenant, item);
        CREATE INDEX app_licenses_by_account ON app_licenses (tenant, account, item) WHERE account IS NOT NULL;
        CREATE INDEX app_licenses_to_renew ON app_licenses (term_end, tenant, failed_at, state, is_replaced)
            WHERE state = 'active' AND is_replaced = 0 AND term_end IS NOT NULL;

        ALTER TABLE events ADD COLUMN app INTEGER;
        ALTER TABLE events ADD COLUMN account TEXT;
        CREATE INDEX events_by_account ON events (tenant, account) WHERE account IS NOT NULL;
        """)
}
