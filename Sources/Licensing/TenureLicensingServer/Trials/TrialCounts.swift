import TenureCore
import TenureLicensing
import TenureServerKit
package import TenureStore

/// How many trials are recorded, and how many of them are running.
package struct TrialCounts: Sendable, Hashable {
    let all: Int
    let running: Int

    /// The numbers in words, such as `12: 5 running, 7 ended`.
    var words: String {
        let parts = [(running, "running"), (all - running, "ended")].filter { $0.0 > 0 }
        return parts.isEmpty ? "0" : "\(all): " + parts.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    }

    /// Counts every recorded trial; the query's parameter is the current time.
    package static let entries = NamedQuery<TrialCounts>(
        "trials", [.integer], touches: [Trial.table.shape, Product.table.shape],
        sqlite: """
            SELECT count(*), ifnull(sum(p.trial_days > 0 AND t.started_at + (p.trial_days + t.extra_days) * 86400 > ?1), 0)
            FROM trials t LEFT JOIN products p ON p.tenant = t.tenant AND p.product = t.product
            """,
        postgres: """
            SELECT count(t.device), count(*) FILTER (
                WHERE p.trial_days > 0 AND t.started_at + (p.trial_days + t.extra_days) * 86400 > w.now)
            FROM unnest($1::bigint[]) AS w (now)
            LEFT JOIN trials t ON true LEFT JOIN products p ON p.tenant = t.tenant AND p.product = t.product
            GROUP BY w.now
            """
    ) { row in TrialCounts(all: try row.next(), running: try row.next()) }
}
