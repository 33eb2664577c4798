import TenureStore

/// How a session is set up.
struct SessionSettings: Sendable {
    /// How long one statement may take; also, with three seconds more, how long its answer is waited for.
    var statementTimeout: Duration
    /// How long a statement waits for another session's lock.
    var lockTimeout: Duration
    /// Whether the session runs a few known statements, for which every plan must go by indexes, however small or
    /// unknown to the planner the tables are.
    var isIndexed: Bool

    /// For copies, whose statements are few and long.
    static let copying = SessionSettings(
        statementTimeout: .seconds(3_600), lockTimeout: .seconds(5), isIndexed: false)

    /// What ``SQL/setUp`` binds.
    var values: [StoredValue] {
        [
            .text("\(statementTimeout.milliseconds)"), .text("\(lockTimeout.milliseconds)"), .text("15000"),
            .text(isIndexed ? "off" : "on"), .text(isIndexed ? "force_generic_plan" : "auto"),
        ]
    }
}

extension Duration {
    fileprivate var milliseconds: Int64 { components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000 }
}

extension SQL {
    /// The keepalives let the database let go of a dead server's locks within ten seconds.
    static let setUp = SQL(
        """
        SELECT set_config('statement_timeout', $1, false), set_config('lock_timeout', $2, false),
            set_config('idle_in_transaction_session_timeout', $3, false),
            set_config('synchronous_commit', 'on', false), set_config('TimeZone', 'UTC', false),
            set_config('default_transaction_isolation', 'read committed', false),
            set_config('client_min_messages', 'error', false), set_config('jit', 'off', false),
            set_config('enable_seqscan', $4, false), set_config('enable_hashjoin', $4, false),
            set_config('enable_mergejoin', $4, false), set_config('plan_cache_mode', $5, false),
            set_config('tcp_keepalives_idle', '4', false), set_config('tcp_keepalives_interval', '2', false),
            set_config('tcp_keepalives_count', '2', false)
        """)
}
