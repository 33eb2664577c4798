import TenureCore
import TenureMarketplace
import TenureServerKit
import TenureStore
import TenureThreads

/// What the jobs of imports share: what they look at, whom they ask, and how a piece of theirs is saved.
struct ImportDesk: Sendable {
    let store: any Store
    let catalog: CatalogCache
    let clock: any WallClock
    let place: FetchingPlace
    let lane: Lane<Void>
    let outbound: (any Outbound)?
    let log: any Log

    /// How a piece of an asset or of a whole import may take, in seconds, and after how many others may take it.
    static let rules = JobRules(plan: RetryPlan(waits: [5, 30, 120, 600, 3_600]), concurrency: 4, patience: 240)

    /// Does what blocks on the disk apart from everything else. Throws ``ServerError``.
    func onDisk<Result: Sendable>(
        _ work: @escaping @Sendable () throws(ServerError) -> Result
    ) async throws(ServerError) -> Result {
        try await lane.run({ _ throws(ServerError) in try work() }, refused: { _ in .diskBusy })
    }

    /// Whom a tenant's packages are asked of; nil while nobody was named. Throws ``ServerError``.
    func appStore(of tenant: TenantID) async throws(ServerError) -> AppStoreConnect? {
        guard let outbound else { return nil }
        let row = try await asking { () async throws(StoreError) in
            let form = Self.connection
            return try await store.look(form.asked(.of(tenant), .of(MarketplaceSecretRow.Kind.connection)))[form.looks]
        }
        guard let row, let connection = Connection(json: try catalog.master.open(row)) else { return nil }
        return AppStoreConnect(connection: connection, outbound: outbound, clock: clock)
    }

    /// An import with its assets as they are now. Throws ``ServerError``.
    func look(_ id: String, of tenant: TenantID) async throws(ServerError) -> (PackageImport, [ImportAsset])? {
        let (form, key) = (Self.whole, [StoredValue.of(tenant), .of(id)])
        let seen = try await asking { () async throws(StoreError) in
            try await store.look(form.asked(all: key + key))
        }
        return seen[form.looks.0].map { ($0, seen[form.looks.1]) }
    }

    /// Why a piece came to nothing, as a step of its import.
    static func step(_ trouble: ConnectTrouble, jitter: Int64) -> PackageImport.Step {
        switch trouble.kind {
        case .waiting: .waiting(trouble.cause, seconds: trouble.seconds + trouble.seconds * jitter / 5_000)
        case .trouble: .trouble(trouble.cause, seconds: trouble.seconds)
        case .failed: .failed(trouble.cause)
        case .cancelled: .fetching
        }
    }

    static let connection = LoadForm { ask in ask.row(MarketplaceSecretRow.table.key) }
    static let whole = LoadForm { ask in
        (ask.row(PackageImport.table.key), ask.rows(ImportAsset.ofImport, upTo: Asking.everything))
    }
    /// An import and its assets, beside the job.
    static let form = JobForm { ask in
        (row: ask.row(PackageImport.table.key), assets: ask.rows(ImportAsset.ofImport, upTo: Asking.everything))
    }
}

extension ServerError {
    fileprivate static let diskBusy = ServerError(
        .packagesBusy, "The disk of the packages is busy.", isTransient: true)

    /// What an import makes of it. Somebody else at the same files, such as another import of the app, is done in a moment.
    var step: PackageImport.Step {
        switch code {
        case .packageRefused: .failed("package_refused")
        case .packagesBusy: .waiting("packages_busy", seconds: 2)
        case .packagesUnusable: .trouble("disk_unusable", seconds: 60)
        default: .trouble("server_trouble", seconds: 60)
        }
    }
}
