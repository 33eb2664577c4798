package import TenureCore
package import TenureStore

/// Reads the catalog, every room's share: all of it, or that of the tenants that have changed.
package struct CatalogReading: Sendable {
    let members: [CatalogMember]
    /// The form of a reader who wants everything, and may ask at any time.
    package let form: LoadForm<CatalogLooks>
    private let some: LoadForm<CatalogLooks>

    /// Gathers shares. Keep it in a static value, as every form.
    package init(_ members: [CatalogMember]) {
        self.members = members
        form = LoadForm { ask in CatalogLooks(&ask, of: members) }
        some = LoadForm { ask in CatalogLooks(&ask, of: members, ofSome: true) }
    }

    /// The form filled in: it asks for all there is.
    package var asked: Asked { form.asked(lists: Array(repeating: [], count: form.shape.listCount)) }

    /// Takes the same looks down in another form.
    package func looks(_ ask: inout Asking) -> CatalogLooks { CatalogLooks(&ask, of: members) }

    /// Reads the catalog with its version.
    package func catalog(in store: any Store) async throws(StoreError) -> Catalog {
        form.looks.catalog(in: try await store.look(asked))
    }

    /// Reads everything and opens the keys that go with it.
    func snapshot(of store: any Store, under master: MasterKey) async throws(ServerError) -> CatalogSnapshot {
        let seen = try await asking { () async throws(StoreError) in try await store.look(asked) }
        let scope = CatalogScope(known: nil, changed: nil)
        return CatalogSnapshot(
            catalog: form.looks.catalog(in: seen), marks: form.looks.marks(in: seen),
            parts: try await parts(of: scope, in: store, under: master))
    }

    /// Brings a snapshot to what the store holds now: reads the tenants that have changed, all of one moment, and opens
    /// the keys that are new.
    func snapshot(
        after known: CatalogSnapshot, of store: any Store, under master: MasterKey
    ) async throws(ServerError) -> CatalogSnapshot {
        guard known.isComplete else { return try await snapshot(of: store, under: master) }
        var changed: Set<TenantID> = []
        while true {
            let wanted = changed.sorted().map(\.storedValue)
            let lists = [wanted] + Array(repeating: [], count: some.shape.listCount - 1)
            let seen = try await asking { () async throws(StoreError) in
                try await store.look(some.asked(lists: lists))
            }
            let marks = some.looks.marks(in: seen)
            // An older server changed something, and did not say whose.
            guard marks.unmarked == known.marks.unmarked else { return try await snapshot(of: store, under: master) }
            let differing = marks.tenants(differingFrom: known.marks)
            if !differing.isSubset(of: changed) {
                changed.formUnion(differing)
                continue
            }
            let read = some.looks.catalog(in: seen)
            if read.version == known.version { return known }
            var catalog = known.catalog
            catalog.version = read.version
            for tenant in changed { catalog.tenants[tenant] = read.tenants[tenant] }
            let scope = CatalogScope(known: known, changed: changed)
            return CatalogSnapshot(
                catalog: catalog, marks: marks, parts: try await parts(of: scope, in: store, under: master))
        }
    }

    /// The keys are read after the catalog: a rotation in between makes them newer than the version says, and the next
    /// look at the version reads both again.
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

/// The looks that see the catalog, of one moment.
package struct CatalogLooks: Sendable {
    private let version: RowLook<CatalogVersion>
    private let versions: RowsLook<TenantVersion>
    private let tenants: RowsLook<TenantRow>
    private let fills: [CatalogMember.Fill]

    /// - Parameter ofSome: Whether only tenants are read that come with the request, as the first list.
    init(_ ask: inout Asking, of members: [CatalogMember], ofSome: Bool = false) {
        version = ask.row(CatalogVersion.table.key)
        versions = ask.rows(TenantVersion.table.all, upTo: Asking.everything)
        let tenants =
            ofSome ? ask.each(TenantRow.table.key) : ask.rows(TenantRow.table.all, upTo: Asking.everything)
        self.tenants = tenants
        fills = members.map { $0.declare(&ask, tenants) }
    }

    /// Puts the catalog together.
    package func catalog(in seen: Seen) -> Catalog {
        var catalog = Catalog(version: seen[version]?.version ?? 0)
        for row in seen[tenants] { catalog.tenants[row.id] = row.tenant }
        for fill in fills { fill(seen, &catalog) }
        return catalog
    }

    func marks(in seen: Seen) -> CatalogMarks {
        CatalogMarks(
            unmarked: seen[version]?.unmarked ?? 0,
            tenants: Dictionary(uniqueKeysWithValues: seen[versions].map { ($0.tenant, $0.version) }))
    }
}

/// By what one snapshot is told from a later one.
struct CatalogMarks: Sendable {
    /// How many changes did not say which tenants they concern.
    let unmarked: Int64
    /// The versions of tenants that have one.
    let tenants: [TenantID: Int64]

    func tenants(differingFrom other: CatalogMarks) -> Set<TenantID> {
        Set(tenants.filter { other.tenants[$0.key] != $0.value }.keys)
    }
}
