public import TenureCore
public import TenureServerKit
public import TenureStore

/// Makes the store say what a catalog file says; applying twice changes nothing.
public struct ApplyCatalog: Sendable {
    let store: any Store
    let master: MasterKey
    let clock: any WallClock

    /// Applies to a store, sealing new signing keys with a master key.
    public init(store: any Store, master: MasterKey, clock: any WallClock) {
        self.store = store
        self.master = master
        self.clock = clock
    }

    /// How to apply.
    public struct Options: Sendable {
        /// Whether to say what would change, and change nothing.
        public var dryRun = false
        /// Whether to remove products, policies, apps and versions that the file does not name and no license uses.
        public var prune = false

        /// The defaults: change, remove nothing.
        public init(dryRun: Bool = false, prune: Bool = false) {
            self.dryRun = dryRun
            self.prune = prune
        }
    }

    /// Applies the catalog in one transaction, then what it lists beside it in small groups, each durable when it is
    /// reported.
    ///
    /// An interruption leaves what was reported, and applying again does the rest. Throws ``ServerError``.
    /// - Parameter report: Told of each change after it is durable, in the order of the file; and of how many entries
    ///   (licenses, accounts) are done.
    public func callAsFunction(
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
    private static let attempts = 8

    private static func groups<Element>(_ all: [Element]) -> [ArraySlice<Element>] {
        stride(from: 0, to: all.count, by: group).map { all[$0..<min($0 + group, all.count)] }
    }

    /// Plans on what was read beforehand, and plans again when the catalog has changed since.
    private func applyOffer(_ file: CatalogFile, _ options: Options) async throws(ServerError) -> [PlannedChange] {
        for _ in 0..<Self.attempts {
            let planners = try await prepare(file, options)
            let change = Change(OfferLooks.asked(file.tenants.map(\.id))) {
                seen -> Saving<Result<[PlannedChange], ServerError>?> in
                let looks = OfferLooks.form.looks
                let stored = looks.catalog.catalog(in: seen)
                guard planners.allSatisfy({ $0.version ?? stored.version == stored.version }) else {
                    return Saving(nil)
                }
                let plan = CatalogPlan(
                    from: stored, uses: looks.uses(in: seen), to: file, prune: options.prune, by: planners)
                guard plan.conflicts.isEmpty else {
                    let message = plan.conflicts.joined(separator: " ") + " Nothing was changed."
                    return Saving(.failure(ServerError(.catalogConflict, message)))
                }
                return Saving(.success(plan.changes), options.dryRun ? [] : plan.saves(looks, stored, file, in: seen))
            }
            let answer = try await asking { () async throws(StoreError) in try await store.perform(change) }
            if let answer { return try answer.get() }
        }
        throw ServerError(
            .init("catalog_busy"), "The catalog kept changing while it was applied. Try again.", isTransient: true)
    }

    private func prepare(_ file: CatalogFile, _ options: Options) async throws(ServerError) -> [CatalogPlanner] {
        let catalog = try await asking { () async throws(StoreError) in try await store.catalog() }
        let preparation = CatalogPreparation(
            store: store, catalog: catalog, master: master, prune: options.prune, now: clock.now())
        var planners: [CatalogPlanner] = []
        for listing in Rooms.listings { planners.append(try await listing.prepare(file, preparation)) }
        return planners
    }

    private func perform(_ changes: [Change<[PlannedChange]>]) async throws(ServerError) -> [PlannedChange] {
        try await asking { () async throws(StoreError) in try await store.performTogether(changes) }.flatMap(\.self)
    }
}

/// What a plan for the catalog looks at.
private struct OfferLooks: Sendable {
    let catalog: CatalogLooks
    let marks: TenantMarks
    let keys: RowsLook<SigningKeyRecord>
    private let ofRooms: [@Sendable (Seen) -> CatalogUses]

    init(_ ask: inout Asking) {
        marks = TenantMarks(&ask)
        keys = ask.rows(SigningKeyRecord.byAge, upTo: Asking.everything)
        catalog = Rooms.catalog.looks(&ask)
        ofRooms = Rooms.listings.map { $0.uses(&ask) }
    }

    func uses(in seen: Seen) -> CatalogUses {
        ofRooms.reduce(into: CatalogUses()) { uses, counted in uses.add(counted(seen)) }
    }

    static let form = LoadForm(isAlone: true, OfferLooks.init)
    /// Asks for everything, and for the versions of the tenants that may change; no view of it takes a list.
    static func asked(_ tenants: [TenantID]) -> Asked {
        let none = Array(repeating: [StoredValue](), count: form.shape.listCount - 1)
        return form.asked(lists: [tenants.map(\.storedValue)] + none)
    }
}

extension CatalogPlan {
    /// What makes the plan real: with it every server reads the tenants again that it concerns.
    ///
    /// A key that signs is published later until everything it signed has ended, so the longest that any policy allows is
    /// kept with it before a policy changes.
    fileprivate func saves(_ looks: OfferLooks, _ stored: Catalog, _ file: CatalogFile, in seen: Seen) -> [Save] {
        guard !saves.isEmpty else { return [] }
        let raised = file.tenants.compactMap { tenant -> Save? in
            guard concerned.contains(tenant.id), let known = stored.tenants[tenant.id],
                let key = seen[looks.keys].last(where: { $0.tenant == tenant.id && $0.standing == .primary }),
                let longer = key.covering([known, tenant])
            else { return nil }
            return .replace(key, by: longer)
        }
        return saves + raised + looks.marks.raised(for: concerned, in: seen)
    }
}

extension CatalogFile {
    /// Reads a file with what all rooms take from one; throws everything that is wrong with it.
    package init(parsing bytes: [UInt8], files: any NearbyFiles = NoFiles()) throws(CatalogFileError) {
        try self.init(parsing: bytes, files: files, listings: Rooms.listings, isOwnPath: BuiltInPaths.own)
    }

    /// The schema of a file with what all rooms take from one.
    package static var schema: JSONTree { schema(Rooms.listings) }
}
