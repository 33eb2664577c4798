import Synchronization
import TenureCore
import TenureServerKit
import TenureStore

/// Prometheus gauges for app licenses that are about to expire.
///
/// The count reads an index of all licenses. So it runs at most once a minute, however often the metrics are scraped.
final class RenewalRiskGauges: Sendable {
    private struct Read {
        var at: Timestamp?
        var risks: [RenewalRisk] = []
    }

    private let store: ServerStore
    private let clock: any WallClock
    private let latest = Mutex(Read())

    /// How long a count is reused, in seconds.
    static let lifetime: Int64 = 60

    init(store: ServerStore, clock: any WallClock) {
        self.store = store
        self.clock = clock
    }

    /// The gauges in the Prometheus text format; if the store doesn't respond, with the last counts.
    func exposition() async -> String {
        let now = clock.now()
        let isDue = latest.withLock { latest in
            if let at = latest.at, at <= now, at.seconds(until: now) < Self.lifetime { return false }
            // Concurrent scrapes get the last counts.
            latest.at = now
            return true
        }
        if isDue, let risks = try? await store.renewalRisk(at: now) {
            latest.withLock { $0.risks = risks.sorted { $0.tenant < $1.tenant } }
        }
        return Self.text(latest.withLock { $0.risks })
    }

    private static func text(_ risks: [RenewalRisk]) -> String {
        var text = PrometheusText()
        text.family(
            "tenure_app_licenses_expiring", .gauge,
            "App licenses that expire within a time; a device tries about once to renew.")
        for risk in risks { add(risk, to: &text) { $0.expiring } }
        text.family(
            "tenure_app_licenses_expiring_failed", .gauge,
            "Expiring app licenses whose renewal was refused in their term."
        )
        for risk in risks { add(risk, to: &text) { $0.failed } }
        return text.text
    }

    private static func add(_ risk: RenewalRisk, to text: inout PrometheusText, _ count: (RenewalRisk.Count) -> Int) {
        text.sample(["tenant": risk.tenant.text, "within": "24h"], Double(count(risk.day)))
        text.sample(["tenant": risk.tenant.text, "within": "7d"], Double(count(risk.week)))
    }
}
