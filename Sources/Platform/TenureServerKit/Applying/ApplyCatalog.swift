import TenureCommandLine
public import TenureCore
public import TenureStore

/// Makes the store match a catalog file.
///
/// Applying the same file again changes nothing.
public struct ApplyCatalog: Sendable {
    let features: FeatureSet
    let store: ServerStore
    let master: MasterKey
    let clock: any WallClock

    /// Creates the operation for a store; new signing keys are encrypted under the master key.
    public init(_ features: FeatureSet, store: any Store, master: MasterKey, clock: any WallClock) {
        self.features = features
        self.store = ServerStore(store)
        self.master = master
        self.clock = clock
    }

    /// The options of ``apply(_:options:by:report:)``.
    public struct Options: Sendable {
        /// Whether to report the changes without saving them.
        public var dryRun = false
        /// Whether to remove products, policies, apps and versions that the file doesn't name and no license uses.
        public var prune = false

        /// Creates options; by default, changes are saved and nothing is removed.
        public init(dryRun: Bool = false, prune: Bool = false) {
            self.dryRun = dryRun
            self.prune = prune
        }
    }

    /// Applies the catalog in one transaction, then the file's licenses and accounts in batches.
    ///
    /// Reported changes are durable, except in a dry run. After an interruption, applying the file again makes the
    /// remaining changes. Throws ``ServerError``.
    ///
    /// - Parameter report: Receives the changes of each step in file order, and the number of licenses and accounts
    ///   applied so far.
    public func apply(
        _ file: CatalogFile, options: Options = Options(), by actor: Actor,
        report: ([PlannedChange], _ done: Int) -> Void
    ) async throws(ServerError) {
        report(try await applyOffer(file, options), 0)
        let now = clock.now()
        var done = 0
        for entries in file.entries {
            for group in Self.groups(entries) {
                let changes = try await perform(
                    group.map { $0.change(isDry: options.dryRun, by: actor, at: now) })
                done += group.count
                report(changes, done)
            }
        }
    }

    private static let group = 256

    private static func groups<Element>(_ all: [Element]) -> [ArraySlice<Element>] {
        stride(from: 0, to: all.count, by: group).map { all[$0..<min($0 + group, all.count)] }
    }

    /// Prepares the planners, and then applies their plan in a transaction. Does both again if the catalog changes in
    /// between.
    private func applyOffer(_ file: CatalogFile, _ options: Options) async throws(ServerError) -> [PlannedChange] {
        var attempts = RetryPolicy()
        while attempts.takeAttempt() {
            let planners = try await prepare(file, options)
            let queries = features.offerForm.queries
            let now = clock.now()
            let change = Transaction(OfferQueries.bind(file.tenants.map(\.id), by: features.offerForm)) {
                results -> TransactionResult<Result<[PlannedChange], ServerError>?> in
                let stored = queries.catalog.catalog(in: results)
                guard planners.allSatisfy({ $0.version ?? stored.version == stored.version }) else {
                    return TransactionResult(nil)
                }
                let plan = CatalogPlan(
                    from: stored, uses: queries.uses(in: results), to: file, prune: options.prune, by: planners)
                guard plan.conflicts.isEmpty else {
                    let message = plan.conflicts.joined(separator: " ") + " Nothing was changed."
                    return TransactionResult(.failure(ServerError(.catalogConflict, message)))
                }
                let saves = plan.saves(queries, stored, file, in: results)
                let numbers = saves.isEmpty ? [] : queries.eventNumbers(of: file, over: stored, at: now, in: results)
                return TransactionResult(.success(plan.changes), options.dryRun ? [] : saves + numbers)
            }
            let answer = try await store.perform(change)
            if let answer { return try answer.get() }
        }
        throw ServerError(
            .init("catalog_busy"), "The catalog changed repeatedly while it was being applied. Try again.",
            isTransient: true)
    }

    private func prepare(_ file: CatalogFile, _ options: Options) async throws(ServerError) -> [CatalogPlanner] {
        let catalog = try await features.catalog(of: store)
        let preparation = CatalogPreparation(
            store: store, catalog: catalog, master: try await master.current(in: store), prune: options.prune,
            now: clock.now())
        var planners: [CatalogPlanner] = []
        for listing in features.listings { planners.append(try await listing.prepare(file, preparation)) }
        return planners
    }

    private func perform(_ changes: [Transaction<[PlannedChange]>]) async throws(ServerError) -> [PlannedChange] {
        try await store.performTogether(changes).flatMap(\.self)
    }
}

/// The queries of the transaction that applies a catalog plan.
struct OfferQueries: Sendable {
    fileprivate let catalog: CatalogRowQueries
    fileprivate let marks: TenantMarks
    fileprivate let keys: RowsQuery<SigningKeyRecord>
    private let ofRooms: [@Sendable (QueryResult) -> CatalogUses]
    private let floor: RowQuery<SettingRecord>
    private let counters: RowsQuery<EventCounter>

    init(_ query: inout QueryBuilder<[TenantID]>, _ reading: CatalogReading, _ listings: [CatalogSection]) {
        marks = TenantMarks(&query)
        keys = query.rows(SigningKeyRecord.byAge, upTo: .everything)
        catalog = reading.queries(&query)
        ofRooms = listings.map { listing in query.part(listing.uses) { _ in } }
        floor = query.row(SettingRecord.table.key) { _ in [.text(EventFloor.setting)] }
        counters = query.rows(EventCounter.table.all, upTo: .everything)
    }

    /// Returns the writes with which new tenants' event numbers start above the store's ``EventFloor``.
    ///
    /// Empty in a store without such a floor.
    fileprivate func eventNumbers(
        of file: CatalogFile, over stored: Catalog, at now: Timestamp, in results: QueryResult
    ) -> [RowWrite] {
        guard let floor = results[floor].flatMap(EventFloor.init) else { return [] }
        let counted = Set(results[counters].map(\.tenant))
        return file.tenants.filter { stored.tenants[$0.id] == nil && !counted.contains($0.id) }.flatMap { tenant in
            floor.rows(for: tenant.id, by: .commandLine, at: now)
        }
    }

    fileprivate func uses(in results: QueryResult) -> CatalogUses {
        ofRooms.reduce(into: CatalogUses()) { uses, counted in uses.add(counted(results)) }
    }

    /// Binds the tenants that may change, because their versions are incremented.
    ///
    /// The other queries read everything and have no parameters.
    fileprivate static func bind(_ tenants: [TenantID], by plan: QueryPlan<[TenantID], OfferQueries>) -> BoundQuery {
        plan.bind(tenants)
    }
}

extension CatalogPlan {
    /// The row writes of the plan, including those that make every server reload the affected tenants.
    ///
    /// If the stored or the new settings allow a longer validity than the signing key's span, the same transaction
    /// raises the span. It determines how long the key stays published.
    fileprivate func saves(_ queries: OfferQueries, _ stored: Catalog, _ file: CatalogFile, in results: QueryResult)
        -> [RowWrite]
    {
        guard !saves.isEmpty else { return [] }
        let raised = file.tenants.compactMap { tenant -> RowWrite? in
            guard concerned.contains(tenant.id), let existing = stored.tenants[tenant.id],
                let key = results[queries.keys].last(where: { $0.tenant == tenant.id && $0.status == .primary }),
                let longer = key.covering([existing, tenant])
            else { return nil }
            return .replace(key, by: longer)
        }
        return saves + raised + queries.marks.raised(for: concerned, in: results)
    }
}
