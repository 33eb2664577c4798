public import TenureCore
public import TenureStore

extension PostgresStore {
    /// Reads a trial; nil when it was never begun.
    public func trial(_ name: TrialName) async throws(StoreError) -> Trial? {
        try await lookups.read { connection throws(StoreError) in
            try connection.first(
                .trialByName, [.slug(name.product.tenant), .slug(name.product.product), .blob(name.device)], Trial.read)
        }
    }
}

extension SQL {
    fileprivate static let trialByName = SQL(
        "SELECT ", Trial.columns, " FROM trials WHERE tenant = $1 AND product = $2 AND device = $3")
    static let trialsAfter = SQL(
        "SELECT ", Trial.columns,
        """
         FROM trials WHERE (tenant, product, device) > ($1, $2, $3) ORDER BY tenant, product, device LIMIT $4
        """)
    private static let lockTrials = SQL("SELECT pg_advisory_xact_lock(key) FROM unnest($1::bigint[]) AS key")
    private static let trialsByName = SQL(
        "SELECT ", Trial.columns,
        """
         FROM trials WHERE (tenant, product, device) IN (SELECT * FROM unnest($1::text[], $2::text[], $3::bytea[]))
        """)
    private static let insertTrials = SQL(
        "INSERT INTO trials (", Trial.columns,
        ") SELECT * FROM unnest($1::text[], $2::text[], $3::bytea[], $4::bigint[], $5::bigint[]) ", Trial.onConflict)

    /// Loads these trials; until the commit no other server begins one of them.
    ///
    /// A trial that is not there yet has no row to lock, so the beginnings of the devices' hashes are, in order.
    static func loadingTrials(_ names: [TrialName]) -> [Statement] {
        let locks = Set(names.map { name in name.device.bytes.prefix(8).reduce(0 as Int64) { $0 << 8 | Int64($1) } })
        return [
            Statement(lockTrials, [.integers(locks.sorted())]),
            Statement(
                trialsByName,
                [
                    .texts(names.map(\.product.tenant.text)), .texts(names.map(\.product.product.text)),
                    .blobs(names.map(\.device.bytes)),
                ]),
        ]
    }

    /// Saves trials, each of them once.
    static func saving(_ trials: [Trial]) -> Statement {
        Statement(
            insertTrials,
            [
                .texts(trials.map(\.product.tenant.text)), .texts(trials.map(\.product.product.text)),
                .blobs(trials.map(\.device.bytes)), .integers(trials.map(\.start.seconds)),
                .integers(trials.map(\.recordedAt.seconds)),
            ])
    }
}
