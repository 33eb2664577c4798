package import TenureCore
package import TenureStore

/// Reads the catalog of all features, either whole or only for the tenants that changed.
package struct CatalogReading: Sendable {
    let members: [CatalogMember]
    /// The query plan that reads the whole catalog.
    package let plan: QueryPlan<Void, CatalogRowQueries>
    private let some: QueryPlan<[TenantID], CatalogRowQueries>

    /// Combines the parts of all features.
    ///
    /// Like a query plan, the result belongs in a static value so that it's built only once.
    package init(_ members: [CatalogMember]) {
        self.members = members
        plan = QueryPlan { query in CatalogRowQueries(&query, of: members) }
        some = QueryPlan(for: [TenantID].self) { query in
            CatalogRowQueries(&query, of: members) { $0.each(TenantRow.table.key) { $0.map(\.storedValue) } }
        }
    }

    /// The query that reads the whole catalog.
    package var bound: BoundQuery { plan.bind() }

    /// Adds the catalog's queries to another query plan.
    package func queries(_ query: inout QueryBuilder<some Sendable>) -> CatalogRowQueries {
        CatalogRowQueries(&query, of: members)
    }

    /// Reads the whole catalog with its version.
    package func catalog<Records: RecordStore>(in store: Records) async throws(Records.Failure) -> Catalog {
        plan.queries.catalog(in: try await store.fetch(bound))
    }

    /// Reads the whole catalog and decrypts its keys.
    func snapshot(of store: ServerStore, under master: MasterKey) async throws(ServerError) -> CatalogSnapshot {
        let results = try await store.fetch(bound)
        // The master key is read after the catalog's version, so that it decrypts every value saved under that
        // version.
        let present = try await master.current(in: store)
        let scope = CatalogScope(existing: nil, changed: nil)
        return CatalogSnapshot(
            catalog: plan.queries.catalog(in: results), under: present, marks: plan.queries.marks(in: results),
            parts: try await parts(of: scope, in: store, under: present))
    }

    /// Returns a snapshot of the store's current catalog, based on an earlier snapshot.
    ///
    /// Usually reads only the changed tenants, in one consistent read, and decrypts only new keys. It reads the whole
    /// catalog if the earlier snapshot is incomplete, or if the database was edited with SQL or returned to an older
    /// state.
    func snapshot(
        after earlier: CatalogSnapshot, of store: ServerStore, under master: MasterKey
    ) async throws(ServerError) -> CatalogSnapshot {
        guard earlier.isComplete else { return try await snapshot(of: store, under: master) }
        var changed: Set<TenantID> = []
        while true {
            let tenants = changed.sorted()
            let results = try await store.fetch(some.bind(tenants))
            let marks = some.queries.marks(in: results)
            let differing = marks.tenants(differingFrom: earlier.marks)
            if !differing.isSubset(of: changed) {
                changed.formUnion(differing)
                continue
            }
            let read = some.queries.catalog(in: results)
            if read.version == earlier.version { return earlier }
            // If the catalog's version increased but no tenant's did, the catalog was edited with SQL and any tenant
            // may differ. A version below the snapshot's, or one that skipped many, means that the database returned
            // to an older state. That state may lack tenants of the snapshot, or have other tenants with the same
            // names and versions.
            let isOther = read.version < earlier.version || read.version - earlier.version >= MendRewound.room
            if changed.isEmpty || isOther { return try await snapshot(of: store, under: master) }
            var catalog = earlier.catalog
            catalog.version = read.version
            for tenant in changed { catalog.tenants[tenant] = read.tenants[tenant] }
            let present = try await master.current(in: store)
            let scope = CatalogScope(existing: earlier, changed: changed)
            return CatalogSnapshot(
                catalog: catalog, under: present, marks: marks,
                parts: try await parts(of: scope, in: store, under: present))
        }
    }

    /// Reads and decrypts the features' keys.
    ///
    /// The keys are read after the catalog. If a key is rotated in between, the keys are newer than the snapshot's
    /// version. The next version check then reads both the catalog and the keys again.
    private func parts(
        of scope: CatalogScope, in store: ServerStore, under master: MasterKey
    ) async throws(ServerError) -> [any CatalogPart] {
        var parts: [any CatalogPart] = []
        for member in members {
            if let part = try await member.open(store, master, scope) { parts.append(part) }
        }
        return parts
    }
}

/// The queries that read the catalog in one consistent read.
package struct CatalogRowQueries: Sendable {
    private let version: RowQuery<CatalogVersion>
    private let versions: RowsQuery<TenantVersion>
    private let tenants: RowsQuery<TenantRow>
    private let fills: [CatalogMember.Fill]

    /// Adds the catalog's queries to a query plan.
    ///
    /// - Parameter named: Adds the query that selects the tenants; `nil` to read every tenant.
    init<Parameters>(
        _ query: inout QueryBuilder<Parameters>, of members: [CatalogMember],
        tenants named: ((inout QueryBuilder<Parameters>) -> RowsQuery<TenantRow>)? = nil
    ) {
        version = query.row(CatalogVersion.table.key)
        versions = query.rows(TenantVersion.table.all, upTo: .everything)
        let tenants = named?(&query) ?? query.rows(TenantRow.table.all, upTo: .everything)
        self.tenants = tenants
        fills = members.map { member in query.part({ member.declare(&$0, tenants) }) { _ in } }
    }

    package func catalog(in results: QueryResult) -> Catalog {
        var catalog = Catalog(version: results[version]?.version ?? 0)
        for row in results[tenants] { catalog.tenants[row.id] = row.tenant }
        for fill in fills { fill(results, &catalog) }
        return catalog
    }

    func marks(in results: QueryResult) -> CatalogMarks {
        CatalogMarks(tenants: Dictionary(uniqueKeysWithValues: results[versions].map { ($0.tenant, $0.version) }))
    }
}

/// The tenants' version numbers; comparing those of two snapshots finds the changed tenants.
struct CatalogMarks: Sendable {
    /// The versions by tenant; a tenant that was never changed may lack an entry.
    let tenants: [TenantID: Int64]

    func tenants(differingFrom other: CatalogMarks) -> Set<TenantID> {
        Set(tenants.filter { other.tenants[$0.key] != $0.value }.keys)
    }
}
