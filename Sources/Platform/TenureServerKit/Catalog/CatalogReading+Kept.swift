import TenureCore
package import TenureFormats

extension CatalogReading {
    /// Writes the features' saved values of a snapshot as members of a JSON object.
    package func write(_ snapshot: CatalogSnapshot, into body: inout JSONObjectWriter) {
        body.array("tenants") { list in
            for tenant in snapshot.catalog.tenants.keys.sorted() {
                list.object { member in
                    member.member("tenant", tenant.text)
                    for share in members.compactMap(\.stored) { share.write(snapshot, tenant, &member) }
                }
            }
        }
    }

    /// Restores a saved snapshot.
    ///
    /// Its version, -1, is older than any version in a store.
    package func snapshot(keptIn object: FlatObject, under master: MasterKey) -> CatalogSnapshot {
        var tenants: [TenantID: FlatObject] = [:]
        for member in object.objects("tenants").value ?? [] {
            if let tenant = member.string("tenant").value.flatMap({ TenantID($0) }) { tenants[tenant] = member }
        }
        return snapshot(keeping: tenants, under: master)
    }

    /// A snapshot without tenants, whose version is older than any version in a store.
    package func nothing(under master: MasterKey) -> CatalogSnapshot { snapshot(keeping: [:], under: master) }

    private func snapshot(keeping tenants: [TenantID: FlatObject], under master: MasterKey) -> CatalogSnapshot {
        var catalog = Catalog(version: -1)
        for tenant in tenants.keys { catalog.tenants[tenant] = Tenant(id: tenant, name: tenant.text) }
        let parts = members.compactMap(\.stored).map { $0.restore(tenants, &catalog) }
        return CatalogSnapshot(
            catalog: catalog, under: master, marks: CatalogMarks(tenants: [:]), parts: parts, isComplete: false)
    }
}
