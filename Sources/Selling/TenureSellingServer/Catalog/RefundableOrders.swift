import TenureCore
import TenureSelling
import TenureServerKit
import TenureStore

/// The orders of sources that a catalog file removes, as far as they may still be refunded or disputed.
///
/// The server accepts no messages for a removed source. So a refund or a dispute wouldn't stop the licenses.
struct RefundableOrders: Sendable {
    /// How long most payments can be disputed, in seconds: 120 days.
    private static let lifetime: Int64 = 120 * 86_400
    /// The maximum number of orders to count per source.
    private static let most = 1_000

    private var counts: [TenantID: [(source: SourceID, count: Int)]] = [:]

    /// Counts the orders. Throws ``ServerError`` if the store fails.
    init(
        ofSourcesRemovedBy file: CatalogFile, _ sources: SealedSettingsPlan<PaymentSource>,
        _ preparation: CatalogPreparation
    ) async throws(ServerError) {
        guard preparation.prune else { return }
        for tenant in file.tenants {
            for source in sources.unlisted(of: tenant.id) {
                let newest = Listing(
                    OrderRow.ofSource, [.of(tenant.id), .of(source), .of(false)], limit: Self.most)
                let begin = preparation.now.adding(seconds: -Self.lifetime)
                let count = try await preparation.store.list(newest).count { $0.createdAt > begin }
                if count > 0 { counts[tenant.id, default: []].append((source, count)) }
            }
        }
    }

    /// Adds a note to the plan about each removed source with such orders.
    func note(of tenant: TenantID, in plan: inout CatalogPlan) {
        for (source, count) in counts[tenant] ?? [] {
            let orders = count == 1 ? "1 order" : count < Self.most ? "\(count) orders" : "at least \(count) orders"
            plan.add(
                PlannedChange(
                    .note, "source", "\(tenant)/\(source)",
                    "\(orders) of the last 120 days may still be refunded or disputed; without the source, that stops no "
                        + "license"))
        }
    }
}
