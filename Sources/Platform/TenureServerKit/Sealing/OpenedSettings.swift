package import TenureCore
import TenureStore

/// The decrypted settings of all tenants, stored in memory with the catalog.
private final class OpenedSettings<Settings: SealedSettings>: CatalogPart {
    let ofTenants: [TenantID: [Settings.Row.Name: Settings]]

    init(_ ofTenants: [TenantID: [Settings.Row.Name: Settings]]) { self.ofTenants = ofTenants }
}

extension CatalogMember {
    /// Loads and decrypts settings with each catalog snapshot, without adding them to the catalog.
    package init<Settings: SealedSettings>(opening settings: Settings.Type) {
        let all = QueryPlan { query in query.rows(Settings.Row.table.all, upTo: .everything) }
        let own = QueryPlan(for: TenantID.self) { query in
            query.rows(Settings.Row.ofTenant, upTo: .everything) { [.of($0)] }
        }
        self.init(open: { store, master, scope throws(ServerError) in
            let existing = scope.existing?.part(OpenedSettings<Settings>.self)?.ofTenants ?? [:]
            return OpenedSettings<Settings>(
                try await scope.values(over: existing) { tenant, opened in
                    let rows =
                        if let tenant { try await store.fetch(own.bind(tenant))[own.queries] } else {
                            try await store.fetch(all.bind())[all.queries]
                        }
                    for row in rows where Settings.onlyName == nil || row.name == Settings.onlyName {
                        opened[row.tenant, default: [:]][row.name] = Settings(json: try row.json(under: master))
                    }
                })
        }) { _, _ in { _, _ in } }
    }
}

extension CatalogSnapshot {
    /// Returns a tenant's decrypted settings of a type, by name; empty if the tenant has no such settings.
    package func settings<Settings: SealedSettings>(
        _ type: Settings.Type, of tenant: TenantID
    ) -> [Settings.Row.Name: Settings] {
        part(OpenedSettings<Settings>.self)?.ofTenants[tenant] ?? [:]
    }
}
