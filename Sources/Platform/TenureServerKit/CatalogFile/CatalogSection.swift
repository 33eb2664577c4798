package import TenureCore
package import TenureStore

/// A feature's section of a catalog file: its members of a tenant, and how they're applied.
package struct CatalogSection: Sendable {
    /// The members of a tenant's object in the file that configure the feature.
    package let members: [CatalogField<Tenant>]
    /// Adds the queries that find the objects that licenses use, and returns a function that counts their results.
    package let uses: @Sendable (inout QueryBuilder<Void>) -> @Sendable (QueryResult) -> CatalogUses
    /// Reads and creates the data that a plan needs besides the catalog, such as new keys, and returns the planner.
    package let prepare: @Sendable (CatalogFile, CatalogPreparation) async throws(ServerError) -> CatalogPlanner
    /// Returns the entries that are applied in batches after the catalog.
    package let entries: @Sendable (CatalogFile) -> [any CatalogEntry]

    package init(
        members: [CatalogField<Tenant>],
        uses: @escaping @Sendable (inout QueryBuilder<Void>) -> @Sendable (QueryResult) -> CatalogUses,
        prepare: @escaping @Sendable (CatalogFile, CatalogPreparation) async throws(ServerError) -> CatalogPlanner,
        entries: @escaping @Sendable (CatalogFile) -> [any CatalogEntry]
    ) {
        self.members = members
        self.uses = uses
        self.prepare = prepare
        self.entries = entries
    }
}

/// The values that a feature may use to prepare its planner.
package struct CatalogPreparation: Sendable {
    package let store: ServerStore
    /// The stored catalog, read before the transaction.
    package let catalog: Catalog
    /// The key that encrypts new signing keys.
    package let master: MasterKey
    /// Whether to remove objects that the file doesn't name and no license uses.
    package let prune: Bool
    package let now: Timestamp
}

/// Plans a feature's changes to each tenant.
///
/// The plan is a pure function, so a dry run and a real run plan the same changes.
package struct CatalogPlanner: Sendable {
    /// The catalog version that the planner was prepared for; `nil` if it's valid for any version.
    ///
    /// If the transaction reads another version, the planner must be prepared again.
    package let version: Int64?
    /// Adds the changes that make the stored tenant match the file.
    package let plan: @Sendable (TenantSpec, inout CatalogPlan) -> Void

    package init(version: Int64? = nil, _ plan: @escaping @Sendable (TenantSpec, inout CatalogPlan) -> Void) {
        self.version = version
        self.plan = plan
    }
}

/// A tenant in the file, together with the stored tenant that it's compared with.
package struct TenantSpec: Sendable {
    /// The tenant as the file describes it.
    package let tenant: Tenant
    /// The stored tenant; `nil` if the file adds the tenant.
    package let existing: Tenant?
    /// The whole stored catalog.
    package let stored: Catalog
    package let file: CatalogFile
    /// The numbers of licenses that use each object of the catalog. Used objects aren't removed.
    package let uses: CatalogUses
    /// Whether to remove objects that the file doesn't name and no license uses.
    package let prune: Bool
}

/// The number of licenses, in any state, that use each object of the catalog.
///
/// Used objects aren't removed.
package struct CatalogUses: Sendable, Hashable {
    private var counts: [String: Int] = [:]

    /// Creates empty counts.
    package init() {}

    /// The number of uses of an object, by its kind and name in a plan, such as `policy` and `acme/notes/pro`.
    package subscript(kind: String, name: String) -> Int {
        get { counts["\(kind) \(name)"] ?? 0 }
        set { counts["\(kind) \(name)"] = newValue }
    }

    /// Adds the counts of another feature.
    package mutating func add(_ other: CatalogUses) { counts.merge(other.counts) { $0 + $1 } }
}

/// An entry of a catalog file that's applied in its own transaction, such as a license.
///
/// A file may contain thousands of them.
package protocol CatalogEntry: Sendable {
    /// Returns the transaction that makes the store match the entry.
    ///
    /// In a dry run, the transaction returns the same changes but saves nothing.
    func change(isDry: Bool, by actor: Actor, at now: Timestamp) -> Transaction<[PlannedChange]>
}
