public import TenureCore
public import TenureStore

extension SQLiteStore {
    /// Reads a trial; nil when it was never begun.
    public func trial(_ name: TrialName) async throws(StoreError) -> Trial? {
        try readers.read { connection throws(StoreError) in try connection.trial(name) }
    }
}

extension Connection {
    func trial(_ name: TrialName) throws(StoreError) -> Trial? {
        try first(
            .trialByName, [.slug(name.product.tenant), .slug(name.product.product), .blob(name.device)], Trial.read)
    }
}

extension SQL {
    fileprivate static let trialByName = SQL(
        "SELECT ", Trial.columns, " FROM trials WHERE tenant = ?1 AND product = ?2 AND device = ?3")
    static let trialsAfter = SQL(
        "SELECT ", Trial.columns,
        """
         FROM trials WHERE (tenant, product, device) > (?1, ?2, ?3) ORDER BY tenant, product, device LIMIT ?4
        """)
    private static let insertTrial = SQL(
        "INSERT INTO trials (", Trial.columns, ") VALUES (?1, ?2, ?3, ?4, ?5) ", Trial.onConflict)

    static func save(_ trial: Trial, on connection: Connection) throws(StoreError) {
        try connection.run(insertTrial, trial.storedValues.map(Value.init))
    }
}
