import TenureCore
package import TenureFormats

extension CatalogReading {
    /// Writes the saved parts of a snapshot as the members of a JSON object.
    package func write(_ snapshot: CatalogSnapshot, into body: inout JSONObjectWriter) {
        body.array("tenants") { list in
            for tenant in snapshot.catalog.tenants.keys.sorted() {
                list.object { member in
                    member.member("tenant", tenant.text)
                    for kept in members.compactMap(\.kept) { kept.write(snapshot, tenant, &member) }
                }
            }
        }
    }

    /// Restores a saved snapshot.
    ///
    /// Its version, -1, is older than any version in a store.
    package func snapshot(keptIn object: FlatObject) -> CatalogSnapshot {
        var tenants: [TenantID: FlatObject] = [:]
        for member in object.objects("tenants").value ?? [] {
            if let tenant = member.string("tenant").value.flatMap({ TenantID($0) }) { tenants[tenant] = member }
        }
        return snapshot(keeping: tenants)
    }

    /// An empty snapshot, whose version is older than any in a store.
    package var nothing: CatalogSnapshot { snapshot(keeping: [:]) }

    private func snapshot(keeping tenants: [TenantID: FlatObject]) -> CatalogSnapshot {
        var catalog = Catalog(version: -1)
        for tenant in tenants.keys { catalog.tenants[tenant] = Tenant(id: tenant, name: tenant.text) }
        let parts = members.compactMap(\.kept).map { $0.restore(tenants, &catalog) }
        return CatalogSnapshot(
            catalog: catalog, marks: CatalogMarks(tenants: [:]), parts: parts, isComplete: false)
    }
}
