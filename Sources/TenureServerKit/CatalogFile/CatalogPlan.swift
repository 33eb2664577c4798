package import TenureCore
package import TenureStore

/// What makes the stored catalog say what the file says, as the rooms plan it one after the other.
package struct CatalogPlan {
    /// What is told, in the order of the file.
    package private(set) var changes: [PlannedChange] = []
    /// What is saved.
    package private(set) var saves: [Save] = []
    /// The tenants that something is saved of.
    package private(set) var concerned: Set<TenantID> = []
    /// What the file cannot have because of what is stored and stays; nothing may be written then.
    package private(set) var conflicts: [String] = []

    /// Compares what is stored with what the file names.
    /// - Parameters:
    ///   - uses: What is in use and so not removed.
    ///   - prune: Whether what the file does not name is removed, where nothing uses it.
    ///   - planners: What plans the rooms' parts of each tenant, in the order of the rooms.
    package init(
        from stored: Catalog, uses: CatalogUses, to file: CatalogFile, prune: Bool, by planners: [CatalogPlanner]
    ) {
        for tenant in file.tenants {
            let before = saves.count
            let known = stored.tenants[tenant.id]
            let row = TenantRow(tenant, over: known)
            if known.map({ TenantRow($0) }) != row {
                note("tenant", tenant.id.text, known.map { CatalogFile.tenantEdits(from: $0, to: row.tenant) })
                save(.put(row, over: known.map { TenantRow($0) }))
            }
            let listed = ListedTenant(
                tenant: tenant, known: known, stored: stored, file: file, uses: uses, prune: prune)
            for planner in planners { planner.plan(listed, &self) }
            if saves.count > before { concerned.insert(tenant.id) }
        }
    }

    /// Tells a change, with what makes it.
    package mutating func add(_ change: PlannedChange, _ saves: Save...) {
        changes.append(change)
        self.saves += saves
    }

    /// Adds what makes a change that has been told.
    package mutating func save(_ save: Save) { saves.append(save) }

    /// Tells why nothing may be written.
    package mutating func conflict(_ message: String) { conflicts.append(message) }

    /// Tells that something is made, or what is edited in it; nil stands for a new thing.
    package mutating func note(_ kind: String, _ name: String, _ edits: [CatalogEdit]?) {
        guard let edits else { return add(PlannedChange(.create, kind, name)) }
        add(PlannedChange(.update, kind, name, edits.map(\.description).joined(separator: ", ")))
    }
}
