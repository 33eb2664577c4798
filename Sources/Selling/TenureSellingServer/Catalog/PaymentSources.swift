import TenureCore
import TenureCrypto
import TenureSelling
import TenureServerKit
import TenureStore

/// The sources of payments of all tenants with their decrypted secrets, held in memory with the catalog.
final class PaymentSources: CatalogPart {
    let ofTenants: [TenantID: [SourceID: PaymentSource]]

    private init(_ ofTenants: [TenantID: [SourceID: PaymentSource]]) { self.ofTenants = ofTenants }

    /// Reads and decrypts the sources of the tenants that have changed since the known catalog.
    static func open(
        _ store: ServerStore, under master: MasterKey, in scope: CatalogScope
    ) async throws(ServerError) -> (any CatalogPart)? {
        let existing = scope.existing?.part(PaymentSources.self)?.ofTenants ?? [:]
        return PaymentSources(
            try await scope.values(over: existing) { tenant, sources in
                let rows =
                    if let tenant { try await store.fetch(own.bind(tenant))[own.queries] } else {
                        try await store.fetch(all.bind())[all.queries]
                    }
                for row in rows {
                    guard let source = try row.opened(under: master) else { continue }
                    sources[row.tenant, default: [:]][row.source] = source
                }
            })
    }

    private static let all = QueryPlan { query in query.rows(PaymentSourceRow.table.all, upTo: .everything) }
    private static let own = QueryPlan(for: TenantID.self) { query in
        query.rows(PaymentSourceRow.ofTenant, upTo: .everything) { [.of($0)] }
    }
}

extension PaymentSourceRow {
    /// Decrypts the source; `nil` if a later version of Tenure wrote it.
    ///
    /// Throws ``ServerError`` `master_key_wrong`.
    func opened(under master: MasterKey) throws(ServerError) -> PaymentSource? {
        do {
            guard let secrets = try master.open(self) else { return nil }
            return PaymentSource(id: source, settings: settings, secretSettings: secrets)
        } catch {
            throw ServerError(
                .masterKeyWrong, "The secrets of the source \(source) of \(tenant) can't be decrypted with this master key.",
                cause: error.code.text)
        }
    }
}

extension CatalogSnapshot {
    /// A tenant's source of payments; `nil` if it has none with this id.
    func paymentSource(_ id: SourceID, of tenant: TenantID) -> PaymentSource? {
        part(PaymentSources.self)?.ofTenants[tenant]?[id]
    }

    /// A tenant's sources of payments, by id.
    func paymentSources(of tenant: TenantID) -> [SourceID: PaymentSource] {
        part(PaymentSources.self)?.ofTenants[tenant] ?? [:]
    }
}

extension CatalogMember {
    /// Loads the sources of payments with each catalog snapshot.
    static let paymentSources = CatalogMember(open: PaymentSources.open) { _, _ in { _, _ in } }
}
