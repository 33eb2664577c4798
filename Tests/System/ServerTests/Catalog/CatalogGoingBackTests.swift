import TenureCore
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

@Suite struct CatalogGoingBackTests {
    @Test func `after the stored catalog's version decreased, an activation uses the stored catalog`() async throws {
        let vendor = try await Vendor()
        let instance = try #require(await vendor.activate("NOTE-PRO0-0000-0001").text("instance_id"))
        let version = try await vendor.store.catalogVersion()
        try await vendor.apply(Vendor.catalog.replacing("\"name\": \"Acme\"", with: "\"name\": \"Acme Ltd\""))
        _ = try await vendor.server.catalog.refresh()
        #expect(vendor.server.catalog.current.catalog.tenants.values.map(\.name) == ["Acme Ltd"])

        try await goBack(vendor, to: version)
        #expect(await vendor.activate("NOTE-PRO0-0000-0001", name: "Phone").status == 200)
        #expect(vendor.server.catalog.current.version == version)
        #expect(vendor.server.catalog.current.catalog.tenants.values.map(\.name) == ["Acme"])
        #expect(await vendor.validate("NOTE-PRO0-0000-0001", instance).status == 200)
    }

    @Test func `a stored catalog with a lower version than the cached one is read again`() async throws {
        let vendor = try await Vendor()
        let version = try await vendor.store.catalogVersion()
        try await vendor.apply(Vendor.catalog.replacing("\"name\": \"Acme\"", with: "\"name\": \"Acme Ltd\""))
        _ = try await vendor.server.catalog.refreshIfChanged()
        try await goBack(vendor, to: version)
        #expect(try await vendor.server.catalog.refreshIfChanged().version == version)
    }

    @Test func `if the catalog's version jumps far ahead, a refresh also reads tenants whose version is unchanged`()
        async throws
    {
        let vendor = try await Vendor()
        try await vendor.apply(#"{"tenants":[{"id":"bolt","name":"Bolt"},{"id":"coil","name":"Coil"}]}"#)
        _ = try await vendor.server.catalog.refresh()
        let queries = Self.plan.queries
        try await vendor.store.perform(
            Transaction(Self.plan.bind()) { results in
                let tenants = results[queries.tenants].filter { $0.id.text == "bolt" }.map { tenant in
                    var other = tenant
                    other.name = "Another Bolt"
                    return RowWrite.replace(tenant, by: other)
                }
                let versions = results[queries.versions].filter { $0.tenant.text == "coil" }.map { own in
                    RowWrite.replace(own, by: TenantVersion(tenant: own.tenant, version: own.version + 1_000_000))
                }
                let whole = results[queries.version].map { version in
                    RowWrite.replace(version, by: CatalogVersion(version: version.version + 1_000_000))
                }
                return TransactionResult((), tenants + versions + [whole].compactMap(\.self))
            })
        _ = try await vendor.server.catalog.refreshIfChanged()
        #expect(vendor.server.catalog.current.catalog.tenants.values.map(\.name).contains("Another Bolt"))
    }

    /// Restores the former version of the catalog and the former name of the tenant.
    private func goBack(_ vendor: Vendor, to version: Int64) async throws {
        let queries = Self.plan.queries
        try await vendor.store.perform(
            Transaction(Self.plan.bind()) { results in
                let tenants = results[queries.tenants].map { tenant in
                    var renamed = tenant
                    renamed.name = "Acme"
                    return RowWrite.replace(tenant, by: renamed)
                }
                let versions = results[queries.versions].map { own in
                    RowWrite.replace(own, by: TenantVersion(tenant: own.tenant, version: own.version - 1))
                }
                let whole = results[queries.version].map { RowWrite.replace($0, by: CatalogVersion(version: version)) }
                return TransactionResult((), tenants + versions + [whole].compactMap(\.self))
            })
    }

    private static let plan = QueryPlan(isAlone: true) { query in
        (
            tenants: query.rows(TenantRow.table.all, upTo: .everything),
            versions: query.rows(TenantVersion.table.all, upTo: .everything),
            version: query.row(CatalogVersion.table.key)
        )
    }
}
