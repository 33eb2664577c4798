package import TenureCore
package import TenureStore

/// Reads the catalog of all features, either whole or only for the tenants that changed.
package struct CatalogReading: Sendable {
    let members: [CatalogMember]
    /// The query plan that reads the whole catalog.
    package let form: QueryPlan<Void, CatalogRowQueries>
    private let some: QueryPlan<[TenantID], CatalogRowQueries>

    /// Combines the parts of all features.
    ///
    /// Keep it in a static value, like every query plan.
    package init(_ members: [CatalogMember]) {
        self.members = members
        form = QueryPlan { ask in CatalogRowQueries(&ask, of: members) }
        some = QueryPlan(for: [TenantID].self) { ask in
            CatalogRowQueries(&ask, of: members) { $0.each(TenantRow.table.key) { $0.map(\.storedValue) } }
        }
    }

    /// The query that reads the whole catalog.
    package var asked: BoundQuery { form.asked() }

    /// Adds the catalog's queries to another query plan.
    package func looks(_ ask: inout QueryBuilder<some Sendable>) -> CatalogRowQueries {
        CatalogRowQueries(&ask, of: members)
    }

    /// Reads the whole catalog with its version.
    package func catalog(in store: any Store) async throws(StoreError) -> Catalog {
        form.looks.catalog(in: try await store.look(asked))
    }

    /// Reads the whole catalog and decrypts its keys.
    func snapshot(of store: any Store, under master: MasterKey) async throws(ServerError) -> CatalogSnapshot {
        let seen = try await asking { try await store.look(asked) }
        let scope = CatalogScope(known: nil, changed: nil)
        return CatalogSnapshot(
            catalog: form.looks.catalog(in: seen), marks: form.looks.marks(in: seen),
            parts: try await parts(of: scope, in: store, under: master))
    }

    /// Updates a snapshot to what the store holds now.
    ///
    /// Reads the tenants that changed, all from one moment, and decrypts only the keys that are new.
    func snapshot(
        after known: CatalogSnapshot, of store: any Store, under master: MasterKey
    ) async throws(ServerError) -> CatalogSnapshot {
        guard known.isComplete else { return try await snapshot(of: store, under: master) }
        var changed: Set<TenantID> = []
        while true {
            let wanted = changed.sorted()
            let seen = try await asking { try await store.look(some.asked(wanted)) }
            let marks = some.looks.marks(in: seen)
            let differing = marks.tenants(differingFrom: known.marks)
            if !differing.isSubset(of: changed) {
                changed.formUnion(differing)
                continue
            }
            let read = some.looks.catalog(in: seen)
            if read.version == known.version { return known }
            // The catalog was changed with SQL that raised only its version, so everything is read again.
            if changed.isEmpty { return try await snapshot(of: store, under: master) }
            var catalog = known.catalog
            catalog.version = read.version
            for tenant in changed { catalog.tenants[tenant] = read.tenants[tenant] }
            let scope = CatalogScope(known: known, changed: changed)
            return CatalogSnapshot(
                catalog: catalog, marks: marks, parts: try await parts(of: scope, in: store, under: master))
        }
    }

    /// Reads and decrypts the features' keys.
    ///
    /// The keys are read after the catalog. If they're rotated in between, they're newer than the version says, and the
    /// next version check reads both again.
    private func parts(
        of scope: CatalogScope, in store: any Store, under master: MasterKey
    ) async throws(ServerError) -> [any CatalogPart] {
        var parts: [any CatalogPart] = []
        for member in members {
            if let part = try await member.open(store, master, scope) { parts.append(part) }
        }
        return parts
    }
}

/// The queries that read the catalog from one moment.
package struct CatalogRowQueries: Sendable {
    private let version: RowQuery<CatalogVersion>
    private let versions: RowsQuery<TenantVersion>
    private let tenants: RowsQuery<TenantRow>
    private let fills: [CatalogMember.Fill]

    /// Adds the catalog's queries to a query plan.
    ///
    /// - Parameter named: Adds the query for the tenants to read; `nil` to read all.
    init<Parameters>(
        _ ask: inout QueryBuilder<Parameters>, of members: [CatalogMember],
        tenants named: ((inout QueryBuilder<Parameters>) -> RowsQuery<TenantRow>)? = nil
    ) {
        version = ask.row(CatalogVersion.table.key)
        versions = ask.rows(TenantVersion.table.all, upTo: .everything)
        let tenants = named?(&ask) ?? ask.rows(TenantRow.table.all, upTo: .everything)
        self.tenants = tenants
        fills = members.map { member in ask.part({ member.declare(&$0, tenants) }) { _ in } }
    }

    /// Builds the catalog from the query results.
    package func catalog(in seen: QueryResult) -> Catalog {
        var catalog = Catalog(version: seen[version]?.version ?? 0)
        for row in seen[tenants] { catalog.tenants[row.id] = row.tenant }
        for fill in fills { fill(seen, &catalog) }
        return catalog
    }

    func marks(in seen: QueryResult) -> CatalogMarks {
        CatalogMarks(tenants: Dictionary(uniqueKeysWithValues: seen[versions].map { ($0.tenant, $0.version) }))
    }
}

/// The version marks that show which tenants differ between two snapshots.
struct CatalogMarks: Sendable {
    /// The versions of the tenants that have one.
    let tenants: [TenantID: Int64]

    func tenants(differingFrom other: CatalogMarks) -> Set<TenantID> {
        Set(tenants.filter { other.tenants[$0.key] != $0.value }.keys)
    }
}
