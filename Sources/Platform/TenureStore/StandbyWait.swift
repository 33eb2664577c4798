/// Commits that wait for a synchronous standby which doesn't confirm them.
package struct StandbyWait: Sendable {
    /// Whether a synchronous standby is connected, but doesn't confirm the commits.
    package let isConnected: Bool

    /// Finds commits that wait for a synchronous standby. The result is empty if none waits, or if this database role
    /// may not see the wait.
    ///
    /// A role without `pg_read_all_stats` sees connected standbys without their state, and only waits of its own
    /// sessions.
    package static let query = NamedQuery<StandbyWait>(
        "standby_wait", touches: [], sqlite: "SELECT 0 WHERE false",
        postgres: """
            SELECT EXISTS (SELECT FROM pg_stat_replication WHERE sync_state IS NULL OR sync_state IN ('sync', 'quorum'))
            WHERE current_setting('synchronous_standby_names') <> '' AND (
                NOT EXISTS (SELECT FROM pg_stat_replication WHERE sync_state IS NULL OR sync_state IN ('sync', 'quorum'))
                OR EXISTS (
                    SELECT FROM pg_stat_activity
                    WHERE wait_event = 'SyncRep' AND clock_timestamp() - query_start > interval '3 seconds'))
            """
    ) { row in StandbyWait(isConnected: try row.next()) }

    /// The fault, in one sentence.
    package var message: String {
        isConnected
            ? "Commits wait for a synchronous standby, which doesn't confirm them."
            : "Commits wait for a synchronous standby, and none is connected."
    }

    /// The remedy, in two sentences.
    package static let cure =
        "Start the standby, and look at its log. To accept changes without it, see If the standby is away in "
        + "Documentation/postgresql.md."
}

extension StoreError {
    /// The error with the cause that commits wait for a synchronous standby.
    package func waiting(for standby: StandbyWait) -> StoreError {
        var error = StoreError(
            code, "\(standby.message) \(code == .unconfirmed ? message : StandbyWait.cure)", cause: cause)
        error.standby = standby
        return error
    }
}
