package import TenureCore
package import TenureStore

/// The changes that make the stored catalog match a file.
///
/// Each feature's planner adds its changes, in the order of the features.
package struct CatalogPlan {
    /// The changes to report, in file order.
    package private(set) var changes: [PlannedChange] = []
    /// The row writes, in the order in which the planners added them.
    package private(set) var saves: [RowWrite] = []
    /// The tenants with row writes.
    package private(set) var concerned: Set<TenantID> = []
    /// Sentences for operators about conflicts between the file and stored data, such as a domain that another tenant
    /// uses.
    ///
    /// If there are any, nothing may be written.
    package private(set) var conflicts: [String] = []

    /// Compares the stored catalog with a file.
    ///
    /// - Parameters:
    ///   - uses: The numbers of licenses that use each object of the catalog. Used objects aren't removed.
    ///   - prune: Whether to remove objects that the file doesn't name and no license uses.
    ///   - planners: The features' planners, in the features' order.
    package init(
        from stored: Catalog, uses: CatalogUses, to file: CatalogFile, prune: Bool, by planners: [CatalogPlanner]
    ) {
        for tenant in file.tenants {
            let before = saves.count
            let existing = stored.tenants[tenant.id]
            let row = TenantRow(tenant, over: existing)
            if existing.map({ TenantRow($0) }) != row {
                note("tenant", tenant.id.text, existing.map { CatalogFile.tenantEdits(from: $0, to: row.tenant) })
                save(.put(row, over: existing.map { TenantRow($0) }))
            }
            let listed = TenantSpec(
                tenant: tenant, existing: existing, stored: stored, file: file, uses: uses, prune: prune)
            for planner in planners { planner.plan(listed, &self) }
            if saves.count > before { concerned.insert(tenant.id) }
        }
    }

    package mutating func add(_ change: PlannedChange, _ saves: RowWrite...) {
        changes.append(change)
        self.saves += saves
    }

    /// Adds a row write without a change to report.
    package mutating func save(_ save: RowWrite) { saves.append(save) }

    /// Adds a conflict, which prevents every write.
    package mutating func conflict(_ message: String) { conflicts.append(message) }

    /// Adds a change to report: an update with the edits, or a creation if `edits` is `nil`.
    package mutating func note(_ kind: String, _ name: String, _ edits: [CatalogEdit]?) {
        guard let edits else { return add(PlannedChange(.create, kind, name)) }
        add(PlannedChange(.update, kind, name, edits.map(\.description).joined(separator: ", ")))
    }
}
