import TenureCore
import TenureMarketplaceServer
import TenureServerKit
import TenureStore
import TenureThreads

/// The functions that the import jobs share: reading an import's rows, connecting to App Store Connect, and disk
/// access.
struct ImportContext: Sendable {
    let store: ServerStore
    let catalog: CatalogCache
    let clock: any WallClock
    let fetchFolder: FetchFolder
    let pool: WorkerPool<Void>
    let outbound: (any Outbound)?
    let log: any Log

    /// The rules of the import jobs.
    ///
    /// The waits are in seconds. If a run takes longer than `timeout` seconds, another server may take it over.
    static let rules = Job.Rules(plan: Job.RetryPlan(waits: [5, 30, 120, 600, 3_600]), concurrency: 4, timeout: 240)

    /// Runs blocking disk work on a separate thread.
    ///
    /// - Throws: ``ServerError`` if too much work is waiting or the work fails.
    func onDisk<Result: Sendable>(
        _ work: @escaping @Sendable () throws -> Result
    ) async throws(ServerError) -> Result {
        try await pool.run(
            { _ throws(ServerError) in
                do { return try work() } catch { throw ServerError(thrown: error) }
            }, refused: { _ in .diskBusy })
    }

    /// A tenant's client for App Store Connect; `nil` if there is no connection or no outbound access.
    ///
    /// - Throws: ``ServerError`` if the connection can't be read or opened.
    func appStore(of tenant: TenantID) async throws(ServerError) -> AppStoreConnect? {
        guard let outbound else { return nil }
        let plan = Self.connection
        guard let row = try await store.fetch(plan.bind(tenant))[plan.queries] else { return nil }
        let json = try await catalog.decrypting { master throws(ServerError) in try row.json(under: master) }
        guard let connection = Connection(json: json) else { return nil }
        return AppStoreConnect(connection: connection, outbound: outbound, clock: clock)
    }

    /// Reads an import with its assets; `nil` if it doesn't exist.
    ///
    /// - Throws: ``ServerError`` if the store fails.
    func fetch(_ id: String, of tenant: TenantID) async throws(ServerError) -> (PackageImport, [ImportAsset])? {
        let plan = Self.whole
        let results = try await store.fetch(plan.bind(.init(tenant: tenant, id: id)))
        return results[plan.queries.0].map { ($0, results[plan.queries.1]) }
    }

    /// Returns the import's next step after an error of App Store Connect.
    static func step(_ trouble: ConnectTrouble, jitter: Int64) -> PackageImport.Step {
        switch trouble.kind {
        case .waiting: .waiting(trouble.cause, seconds: trouble.seconds + trouble.seconds * jitter / 5_000)
        case .trouble: .trouble(trouble.cause, seconds: trouble.seconds)
        case .failed: .failed(trouble.cause)
        case .cancelled: .fetching
        }
    }

    static let connection = QueryPlan(for: TenantID.self) { query in
        query.row(MarketplaceSecretRow.table.key) { [.of($0), .of(MarketplaceSecretRow.Kind.connection)] }
    }
    static let whole = QueryPlan(for: ImportRef.self) { query in
        (
            query.row(PackageImport.table.key) { [.of($0.tenant), .of($0.id)] },
            query.rows(ImportAsset.ofImport, upTo: .everything) { [.of($0.tenant), .of($0.id)] }
        )
    }
    /// The query plan for an import and its assets, together with the job.
    static let plan = Job.WorkPlan(for: ImportRef.self) { query in
        (
            row: query.row(PackageImport.table.key) { [.of($0.tenant), .of($0.id)] },
            assets: query.rows(ImportAsset.ofImport, upTo: .everything) { [.of($0.tenant), .of($0.id)] }
        )
    }
}

/// The parameters of the queries for an import: its tenant and its id.
struct ImportRef: Sendable {
    let tenant: TenantID
    /// App Store Connect's id of the package version.
    let id: String
}

extension ServerError {
    fileprivate static let diskBusy = ServerError(
        .packagesBusy, "The package storage is busy. Try again in a moment.", isTransient: true)

    /// The import's next step after this error.
    ///
    /// A busy lock, such as another import of the same app, is usually free after a moment.
    var step: PackageImport.Step {
        switch code {
        case .packageRefused: .failed("package_refused")
        case .packagesBusy: .waiting("packages_busy", seconds: 2)
        case .packagesUnusable: .trouble("disk_unusable", seconds: 60)
        default: .trouble("server_trouble", seconds: 60)
        }
    }
}
