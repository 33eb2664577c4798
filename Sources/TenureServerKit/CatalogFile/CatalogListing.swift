package import TenureCore
package import TenureStore

/// A room's share of a catalog file: which members of a tenant are its own, and what becomes of them.
package struct CatalogListing: Sendable {
    /// Its members of a tenant.
    package let members: [CatalogField<Tenant>]
    /// Takes down looks at what is in use, and says what they found.
    package let uses: @Sendable (inout Asking) -> @Sendable (Seen) -> CatalogUses
    /// Reads and makes what a plan needs beyond the catalog, and gives what plans with it.
    package let prepare: @Sendable (CatalogFile, CatalogPreparation) async throws(ServerError) -> CatalogPlanner
    /// What the file lists that is applied after the catalog, a few at a time.
    package let entries: @Sendable (CatalogFile) -> [any CatalogEntry]

    /// States a share.
    package init(
        members: [CatalogField<Tenant>],
        uses: @escaping @Sendable (inout Asking) -> @Sendable (Seen) -> CatalogUses,
        prepare: @escaping @Sendable (CatalogFile, CatalogPreparation) async throws(ServerError) -> CatalogPlanner,
        entries: @escaping @Sendable (CatalogFile) -> [any CatalogEntry]
    ) {
        self.members = members
        self.uses = uses
        self.prepare = prepare
        self.entries = entries
    }
}

/// What a room may use before a plan is made.
package struct CatalogPreparation: Sendable {
    /// Where everything is kept.
    package let store: any Store
    /// The catalog as it was just now.
    package let catalog: Catalog
    /// What new signing keys are sealed with.
    package let master: MasterKey
    /// Whether what the file does not name is to be removed.
    package let prune: Bool
    /// When.
    package let now: Timestamp

    /// Puts it together.
    package init(store: any Store, catalog: Catalog, master: MasterKey, prune: Bool, now: Timestamp) {
        self.store = store
        self.catalog = catalog
        self.master = master
        self.prune = prune
        self.now = now
    }
}

/// What plans a room's part of each tenant: pure, so that a dry run and a real one are the same plan.
package struct CatalogPlanner: Sendable {
    /// The version of the catalog that its facts are true of: under another one they must be read again. Nil where
    /// they are true of any.
    package let version: Int64?
    /// Plans what makes the stored tenant say what the file says.
    package let plan: @Sendable (ListedTenant, inout CatalogPlan) -> Void

    /// States a planner.
    package init(version: Int64? = nil, _ plan: @escaping @Sendable (ListedTenant, inout CatalogPlan) -> Void) {
        self.version = version
        self.plan = plan
    }
}

/// A tenant of the file beside what is stored.
package struct ListedTenant: Sendable {
    /// What the file says.
    package let tenant: Tenant
    /// What is stored of it; nil for a new one.
    package let known: Tenant?
    /// All that is stored.
    package let stored: Catalog
    /// The file.
    package let file: CatalogFile
    /// What is in use.
    package let uses: CatalogUses
    /// Whether what the file does not name is to be removed.
    package let prune: Bool

    /// Puts it together.
    package init(
        tenant: Tenant, known: Tenant?, stored: Catalog, file: CatalogFile, uses: CatalogUses, prune: Bool
    ) {
        self.tenant = tenant
        self.known = known
        self.stored = stored
        self.file = file
        self.uses = uses
        self.prune = prune
    }
}

/// How many licenses rest on what a plan names, in any state: what is in use is not removed.
package struct CatalogUses: Sendable, Hashable {
    private var counts: [String: Int] = [:]

    /// Nothing is in use.
    package init() {}

    /// Reads or counts by the words that a plan has for a thing, such as `policy` and `acme/notes/pro`.
    package subscript(kind: String, name: String) -> Int {
        get { counts["\(kind) \(name)"] ?? 0 }
        set { counts["\(kind) \(name)"] = newValue }
    }

    /// Adds what another room counted.
    package mutating func add(_ other: CatalogUses) { counts.merge(other.counts) { $0 + $1 } }
}

/// A thing that a file lists by the thousand: applied by itself, and durable when it is reported.
package protocol CatalogEntry: Sendable {
    /// What makes the store say what the file says; a dry run answers the same and saves nothing.
    func change(isDry: Bool, by actor: Actor, at now: Timestamp) -> Change<[PlannedChange]>
}
