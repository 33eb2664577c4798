package import TenureCore
package import TenureStore

/// A room's share of the catalog: what it reads of it from its tables, and the keys that it holds open beside it.
package struct CatalogMember: Sendable {
    /// Puts what its looks found into the tenants, which are there already.
    package typealias Fill = @Sendable (Seen, inout Catalog) -> Void

    let declare: @Sendable (inout Asking) -> Fill
    let open: @Sendable (any Store, MasterKey) async throws(ServerError) -> (any CatalogPart)?

    /// States a share.
    /// - Parameters:
    ///   - open: Reads and opens the keys; nil of a room without any.
    ///   - declare: Takes down looks at the room's tables and says what becomes of what they find.
    package init(
        open: @escaping @Sendable (any Store, MasterKey) async throws(ServerError) -> (any CatalogPart)? = { _, _ in
            nil
        },
        _ declare: @escaping @Sendable (inout Asking) -> Fill
    ) {
        self.open = open
        self.declare = declare
    }
}

/// What a room keeps in memory with one version of the catalog, such as opened keys; never changed after it was made.
package protocol CatalogPart: AnyObject, Sendable {}

/// Reads the whole catalog of one moment, every room's share.
package struct CatalogReading: Sendable {
    let members: [CatalogMember]
    /// The form of a reader, who may see it at any time.
    package let form: LoadForm<CatalogLooks>

    /// Gathers shares. Keep it in a static value, as every form.
    package init(_ members: [CatalogMember]) {
        self.members = members
        form = LoadForm { ask in CatalogLooks(&ask, of: members) }
    }

    /// The form filled in: it asks for all there is.
    package var asked: Asked { form.asked(lists: Array(repeating: [], count: form.shape.listCount)) }

    /// Takes the same looks down in another form.
    package func looks(_ ask: inout Asking) -> CatalogLooks { CatalogLooks(&ask, of: members) }

    /// Reads the catalog with its version.
    package func catalog(in store: any Store) async throws(StoreError) -> Catalog {
        form.looks.catalog(in: try await store.look(asked))
    }

    /// Reads the catalog and opens the keys that go with it.
    ///
    /// The keys are read after the catalog: a rotation in between makes them newer than the version says, and the next
    /// look at the version reads both again.
    func snapshot(of store: any Store, under master: MasterKey) async throws(ServerError) -> CatalogSnapshot {
        let catalog = try await asking { () async throws(StoreError) in try await self.catalog(in: store) }
        var parts: [any CatalogPart] = []
        for member in members {
            if let part = try await member.open(store, master) { parts.append(part) }
        }
        return CatalogSnapshot(catalog: catalog, parts: parts)
    }
}

/// The looks that see the whole catalog, of one moment.
package struct CatalogLooks: Sendable {
    private let version: RowLook<CatalogVersion>
    private let tenants: RowsLook<TenantRow>
    private let fills: [CatalogMember.Fill]

    package init(_ ask: inout Asking, of members: [CatalogMember]) {
        version = ask.row(CatalogVersion.table.key)
        tenants = ask.rows(TenantRow.table.all, upTo: Asking.everything)
        fills = members.map { $0.declare(&ask) }
    }

    /// Puts the catalog together.
    package func catalog(in seen: Seen) -> Catalog {
        var catalog = Catalog(version: seen[version]?.version ?? 0)
        for row in seen[tenants] { catalog.tenants[row.id] = Tenant(id: row.id, name: row.name) }
        for fill in fills { fill(seen, &catalog) }
        return catalog
    }
}
