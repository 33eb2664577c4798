import TenureStore

extension NewConnection.Timeline {
    /// Reads the cluster's timeline; `nil` if this user may not call the functions, or if they fail.
    ///
    /// `pg_control_checkpoint()` shows the old timeline long after a promotion. Some providers grant the functions
    /// although they don't work there.
    static func current(on connection: Connection) throws(StoreError) -> NewConnection.Timeline? {
        do throws(StoreError) {
            guard try connection.first(.mayReadTimeline, [], { row in try row.next(Bool.self) }) == true else {
                return nil
            }
            return try connection.first(.timeline) { row in
                NewConnection.Timeline(system: try row.next(), number: try row.next())
            }
        } catch {
            if connection.isLost { throw error }
            return nil
        }
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
