import TenureStore

extension Connection {
    /// Reads the cluster's timeline; `nil` if this user may not call the functions.
    ///
    /// `pg_control_checkpoint()` shows the old one long after a promotion.
    func timeline() throws(StoreError) -> NewConnection.Timeline? {
        guard try first(.mayReadTimeline, [], { row in try row.next(Bool.self) }) == true else { return nil }
        return try first(.timeline) { row in NewConnection.Timeline(system: try row.next(), number: try row.next()) }
    }
}

extension SQL {
    fileprivate static let mayReadTimeline = SQL(
        """
        SELECT has_function_privilege('pg_control_system()', 'EXECUTE')
            AND has_function_privilege('pg_walfile_name(pg_lsn)', 'EXECUTE')
            AND has_function_privilege('pg_current_wal_lsn()', 'EXECUTE')
        """)
    fileprivate static let timeline = SQL(
        """
        SELECT (SELECT system_identifier::text FROM pg_control_system()),
            substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)
        """)
}
