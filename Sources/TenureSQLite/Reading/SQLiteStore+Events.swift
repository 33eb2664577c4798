public import TenureStore

extension SQLiteStore {
    /// Lists events after the cursor, oldest first.
    public func events(
        _ filter: EventFilter, after cursor: Int64, limit: Int
    ) async throws(StoreError) -> [EventRecord] {
        let page: [Value] = [.integer(cursor), .integer(min(max(limit, 1), 1_000))]
        return try readers.read { connection throws(StoreError) in
            switch (filter.tenant, filter.license, filter.account) {
            case (nil, nil, nil):
                try connection.all(.events, page, EventRecord.read)
            case (let tenant?, nil, nil):
                try connection.all(.eventsOfTenant, page + [.slug(tenant)], EventRecord.read)
            case (nil, let license?, nil):
                try connection.all(.eventsOfLicense, page + [.license(license)], EventRecord.read)
            case (let tenant?, let license?, nil):
                try connection.all(.eventsOfBoth, page + [.license(license), .slug(tenant)], EventRecord.read)
            case (let tenant?, nil, let account?):
                try connection.all(
                    .eventsOfAccount, page + [.slug(tenant), Value(.account(account))], EventRecord.read)
            case (let tenant?, let license?, let account?):
                try connection.all(
                    .eventsOfAll, page + [.license(license), .slug(tenant), Value(.account(account))], EventRecord.read)
            // An account has its name from its tenant.
            case (nil, _, _?): []
            }
        }
    }
}

extension SQL {
    static let events = SQL(EventRecord.selection, " WHERE sequence > ?1 ORDER BY sequence LIMIT ?2")
    fileprivate static let eventsOfTenant = SQL(
        EventRecord.selection, " WHERE tenant = ?3 AND sequence > ?1 ORDER BY sequence LIMIT ?2")
    fileprivate static let eventsOfLicense = SQL(
        EventRecord.selection, " WHERE license_id = ?3 AND sequence > ?1 ORDER BY sequence LIMIT ?2")
    fileprivate static let eventsOfBoth = SQL(
        EventRecord.selection,
        " WHERE license_id = ?3 AND +tenant = ?4 AND sequence > ?1 ORDER BY sequence LIMIT ?2")
    fileprivate static let eventsOfAccount = SQL(
        EventRecord.selection,
        " WHERE tenant = ?3 AND account = ?4 AND sequence > ?1 ORDER BY sequence LIMIT ?2")
    fileprivate static let eventsOfAll = SQL(
        EventRecord.selection,
        """
         WHERE license_id = ?3 AND +tenant = ?4 AND +account = ?5 AND sequence > ?1 ORDER BY sequence LIMIT ?2
        """)
}
