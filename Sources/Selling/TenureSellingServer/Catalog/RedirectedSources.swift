import TenureCore
import TenureSelling
import TenureServerKit
import TenureStore

/// The sources that have orders and whose provider or world a catalog file changes.
///
/// The new account wouldn't know these orders, so no refund of them would arrive. And licenses that were paid for with
/// test money would count as sold.
struct RedirectedSources: Sendable {
    private var fields: [TenantID: [(source: SourceID, field: String)]] = [:]

    /// Compares the file with the stored sources. Throws ``ServerError`` if the store fails.
    init(
        in listed: [TenantID: [SealedSettingsSpec<PaymentSource>]], _ preparation: CatalogPreparation
    ) async throws(ServerError) {
        for (tenant, specs) in listed {
            for row in try await preparation.store.all(PaymentSourceRow.ofTenant, [.of(tenant)]) {
                guard let new = specs.first(where: { $0.name == row.name })?.settings,
                    let old = PaymentSource(json: try row.json(under: preparation.master)),
                    let field = Self.field(changedFrom: old, to: new),
                    try await Self.hasOrders(row.name, of: tenant, in: preparation.store)
                else { continue }
                fields[tenant, default: []].append((row.name, field))
            }
        }
    }

    private static func field(changedFrom old: PaymentSource, to new: PaymentSource) -> String? {
        if old.provider != new.provider { return "provider" }
        return old.rules.world == new.rules.world ? nil : "world"
    }

    private static func hasOrders(
        _ source: SourceID, of tenant: TenantID, in store: ServerStore
    ) async throws(ServerError) -> Bool {
        for isTest in [false, true] {
            let first = Listing(OrderRow.ofSource, [.of(tenant), .of(source), .of(isTest)], limit: 1)
            if try await !store.list(first).isEmpty { return true }
        }
        return false
    }

    /// Adds an error to the plan for each of these sources.
    func refuse(of tenant: TenantID, in plan: inout CatalogPlan) {
        for (source, field) in fields[tenant] ?? [] {
            plan.conflict(
                "The source \(tenant)/\(source) has orders, so its \"\(field)\" can't change: refunds of them come from "
                    + "the same account. Keep it, and add a source with another id.")
        }
    }
}
