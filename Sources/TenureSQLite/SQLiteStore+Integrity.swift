public import TenureStore

extension SQLiteStore {
    /// Checks pages, indexes, constraints and references; reads the whole file.
    public func integrityFaults() async throws(StoreError) -> [String] {
        try readers.read { connection throws(StoreError) in
            let pages = try connection.once(.quickCheck, [], { row in row.text(0) }).filter { $0 != "ok" }
            let references = try connection.once(
                .foreignKeyCheck, [], { row in "\(row.text(0)): a row names one of \(row.text(2)) that is not there" })
            let events = try connection.once(
                .strayEvents, [], { row in "events: number \(row.integer(0)) names a license that is not there" })
            return pages + references + events
        }
    }
}

extension SQL {
    fileprivate static let quickCheck = SQL("PRAGMA quick_check")
    fileprivate static let foreignKeyCheck = SQL("PRAGMA foreign_key_check")
    fileprivate static let strayEvents = SQL(
        """
        SELECT sequence FROM events e
        WHERE license_id >= 0 AND NOT EXISTS (SELECT 1 FROM licenses l WHERE l.id = e.license_id)
            AND NOT EXISTS (SELECT 1 FROM app_licenses l WHERE l.id = e.license_id) LIMIT 100
        """)
}
