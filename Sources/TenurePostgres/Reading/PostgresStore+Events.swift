public import TenureStore

extension PostgresStore {
    /// Lists events after the cursor, oldest first.
    public func events(
        _ filter: EventFilter, after cursor: Int64, limit: Int
    ) async throws(StoreError) -> [EventRecord] {
        let most = Value.integer(min(max(limit, 1), 1_000))
        return try await readers.read { connection throws(StoreError) in
            switch (filter.tenant, filter.license) {
            case (nil, nil):
                try connection.all(.events, [.integer(cursor), most], EventRecord.read)
            case (let tenant?, nil):
                try connection.all(.eventsOfTenant, [.integer(cursor), most, .slug(tenant)], EventRecord.read)
            case (nil, let license?):
                try connection.all(.eventsOfLicense, [.integer(cursor), most, .license(license)], EventRecord.read)
            case (let tenant?, let license?):
                try connection.all(
                    .eventsOfBoth, [.integer(cursor), most, .license(license), .slug(tenant)], EventRecord.read)
            }
        }
    }
}

extension SQL {
    static let events = SQL(eventColumns, " WHERE sequence > $1 ORDER BY sequence LIMIT $2")
    fileprivate static let eventsOfTenant = SQL(
        eventColumns, " WHERE tenant = $3 AND sequence > $1 ORDER BY sequence LIMIT $2")
    fileprivate static let eventsOfLicense = SQL(
        eventColumns, " WHERE license_id = $3 AND sequence > $1 ORDER BY sequence LIMIT $2")
    fileprivate static let eventsOfBoth = SQL(
        eventColumns, " WHERE license_id = $3 AND tenant = $4 AND sequence > $1 ORDER BY sequence LIMIT $2")
}
