import TenureStore

/// The timeouts of a session, and how the database plans its statements.
struct SessionSettings: Sendable {
    /// How long one statement may take; the client waits three seconds longer for the response.
    var statementTimeout: Duration
    /// How long a statement waits for another session's lock.
    var lockTimeout: Duration
    /// Whether every plan must use indexes, even if tables are small or have no statistics yet.
    ///
    /// Set it for sessions that run the same few statements.
    var isIndexed: Bool

    /// The settings for copies, whose statements are few and long.
    static let copying = SessionSettings(
        statementTimeout: .seconds(3_600), lockTimeout: .seconds(5), isIndexed: false)

    /// The values to bind to ``SQL/setUp``.
    var values: [StoredValue] {
        [
            .text("\(statementTimeout.milliseconds)"), .text("\(lockTimeout.milliseconds)"), .text("5000"),
            .text(isIndexed ? "off" : "on"), .text(isIndexed ? "force_generic_plan" : "auto"),
        ]
    }
}

extension Duration {
    fileprivate var milliseconds: Int64 { components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000 }
}

extension SQL {
    /// The statement that configures a session.
    ///
    /// If a server freezes in the middle of a transaction, it blocks others for five seconds at most. The keepalives
    /// let the database release a dead server's locks within ten seconds. Warnings are needed to notice a COMMIT that
    /// gave up waiting for its standby. A role may set `synchronous_commit` to `remote_apply`; any other value is
    /// replaced by `on`. The schema that has the tables goes first, because a schema with the role's name may have been
    /// created later.
    ///
    /// Each session runs this statement once. It isn't prepared: behind a pooler in transaction mode, a prepared one
    /// could already exist. It returns the process identifier of the session and the time at which the server started.
    /// It also returns whether the server is a standby, and whether it refuses changes.
    static let setUp = SQL(
        text: """
            SELECT pg_backend_pid()::bigint, (extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint,
                pg_is_in_recovery(), current_setting('transaction_read_only')::boolean,
                set_config('statement_timeout', $1, false), set_config('lock_timeout', $2, false),
                set_config('idle_in_transaction_session_timeout', $3, false),
                set_config('synchronous_commit', CASE current_setting('synchronous_commit')
                    WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, false),
                set_config('search_path', concat_ws(', ', (
                    SELECT quote_ident(n.nspname) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                    WHERE c.oid = to_regclass('tenure_migrations')), current_setting('search_path')), false),
                set_config('standard_conforming_strings', 'on', false), set_config('TimeZone', 'UTC', false),
                set_config('default_transaction_isolation', 'read committed', false),
                set_config('client_min_messages', 'warning', false), set_config('jit', 'off', false),
                set_config('enable_seqscan', $4, false), set_config('enable_hashjoin', $4, false),
                set_config('enable_mergejoin', $4, false), set_config('plan_cache_mode', $5, false),
                set_config('tcp_keepalives_idle', '4', false), set_config('tcp_keepalives_interval', '2', false),
                set_config('tcp_keepalives_count', '2', false)
            """, isKept: false)

    /// Makes the session refuse all changes.
    static let onlyReading = SQL(text: "SET default_transaction_read_only = on", isKept: false)
}
