import TenureCore
import TenureFormats
import TenureMarketplace
import TenureServerKit

extension StatusReport {
    /// The status of the marketplaces, and the app licenses that are about to expire.
    static let marketplace = StatusReport(
        discussion: """
            A device tries to renew an app's license about once, on its last day. If the renewal was refused, the \
            app stops when the license expires. Use `tenure license list --apps` and `tenure license explain` to \
            find out which licenses and why.
            """,
        members: [
            (
                "marketplaces",
                .list(
                    of: .output([
                        ("tenant", .text()), ("name", .text()), ("domain", .text()), ("access", .text()),
                        ("apps", .integer()), ("keys", .text()), ("simulated", .boolean),
                    ]))
            ),
            (
                "renewalRisk",
                .list(of: .output([("tenant", .text()), ("within24h", .counts), ("within7d", .counts)]))
            ),
        ]
    ) { context in
        let keys = context.catalog.keyOrigins(try await context.store.marketplaceKeys())
        let risks = try await context.store.renewalRisk(at: context.now).sorted { $0.tenant < $1.tenant }
        let markets = context.tenants.compactMap { tenant in
            tenant.marketplace.map { MarketplaceStatus(tenant: tenant.id, market: $0, keys: keys[tenant.id] ?? .none) }
        }
        return [
            StatusPart(.details, markets.map(\.line)) { body in
                body.array("marketplaces") { list in for market in markets { list.object(market.write) } }
            },
            StatusPart(.details, risks.map(\.line)) { body in
                body.array("renewalRisk") { list in for risk in risks { list.object(risk.write) } }
            },
        ]
    }
}

private struct MarketplaceStatus: Sendable {
    let tenant: TenantID
    let market: Marketplace
    let keys: KeyOrigin

    var line: String {
        let keys =
            switch keys {
            case .imported where !MarketplaceKeys.hasApplesEngine: "imported keys, SIMULATED licenses"
            case .imported: "imported keys"
            case .simulated: "SIMULATED keys"
            case .none: "no keys yet"
            }
        return
            "marketplace  \(tenant): \(market.name) at \(market.domain), \(market.apps.count) app\(market.apps.count == 1 ? "" : "s"), "
            + "access \(market.access.rawValue), \(keys)"
    }

    func write(to body: inout JSONObjectWriter) {
        body.member("tenant", tenant.text)
        body.member("name", market.name)
        body.member("domain", market.domain)
        body.member("access", market.access.rawValue)
        body.member("apps", market.apps.count)
        body.member("keys", keys.rawValue)
        body.member("simulated", keys == .simulated || !MarketplaceKeys.hasApplesEngine)
    }
}

extension RenewalRisk {
    fileprivate var line: String {
        "expiring     \(tenant): \(day.text) within 24 hours, \(week.text) within 7 days"
    }

    fileprivate func write(to body: inout JSONObjectWriter) {
        body.member("tenant", tenant.text)
        body.object("within24h", day.write)
        body.object("within7d", week.write)
    }
}

extension RenewalRisk.Count {
    fileprivate var text: String { "\(expiring)" + (failed > 0 ? " (\(failed) refused renewal)" : "") }

    fileprivate func write(to body: inout JSONObjectWriter) {
        body.member("expiring", expiring)
        body.member("failed", failed)
    }
}
