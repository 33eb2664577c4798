package import TenureCore
import TenureMarketplace
package import TenureStore

/// The number of licenses of an app.
package struct AppCount: Sendable, Hashable {
    package let tenant: TenantID
    package let item: AppleItemID
    /// The number of the app's licenses in any state.
    package let count: Int

    package init(tenant: TenantID, item: AppleItemID, count: Int) {
        self.tenant = tenant
        self.item = item
        self.count = count
    }
}

extension AppCount {
    /// The number of licenses of each app that has any.
    package static let all = NamedQuery<AppCount>(
        "licenses per app", touches: [AppLicense.table.shape],
        sqlite: "SELECT tenant, item, count(*) FROM app_licenses GROUP BY tenant, item",
        postgres: "SELECT tenant, item, count(*) FROM app_licenses GROUP BY tenant, item"
    ) { row in
        AppCount(tenant: try row.next(), item: try row.next(), count: try row.next())
    }
}

/// How many app licenses are about to expire.
///
/// A device tries only about once to renew a license, so this number shows trouble early. Replaced, stopped and
/// perpetual licenses aren't counted.
package struct RenewalRisk: Sendable, Hashable {
    /// The number of licenses that expire within a period, and how many of them had a renewal refused.
    package struct Count: Sendable, Hashable {
        package var expiring: Int
        /// The number of expiring licenses whose renewal was refused in the current term.
        package var failed: Int

        package init(expiring: Int = 0, failed: Int = 0) {
            self.expiring = expiring
            self.failed = failed
        }
    }

    package let tenant: TenantID
    /// The licenses that expire in the next 24 hours.
    package var day: Count
    /// The licenses that expire in the next 7 days, including the next 24 hours.
    package var week: Count

    package init(tenant: TenantID, day: Count, week: Count) {
        self.tenant = tenant
        self.day = day
        self.week = week
    }
}

extension RenewalRisk {
    /// The counts for every tenant with an app license.
    ///
    /// The parameters are now, a day later and a week later.
    package static let all = NamedQuery<RenewalRisk>(
        "renewal risk", [.integer, .integer, .integer],
        touches: [AppLicense.table.shape, MarketplaceRow.table.shape],
        sqlite: """
            WITH risk (tenant, day, day_failed, week, week_failed) AS (
                SELECT tenant, sum(term_end <= ?2), sum(term_end <= ?2 AND failed_at IS NOT NULL), count(*),
                    count(failed_at)
                FROM app_licenses
                WHERE state = 'active' AND is_replaced = 0 AND term_end IS NOT NULL AND term_end > ?1 AND term_end <= ?3
                GROUP BY tenant
            )
            SELECT m.tenant, ifnull(day, 0), ifnull(day_failed, 0), ifnull(week, 0), ifnull(week_failed, 0)
            FROM marketplaces m LEFT JOIN risk r ON r.tenant = m.tenant
            WHERE EXISTS (SELECT 1 FROM app_licenses l WHERE l.tenant = m.tenant) ORDER BY m.tenant
            """,
        postgres: """
            WITH risk AS (
                SELECT tenant, count(*) FILTER (WHERE term_end <= day) AS day,
                    count(failed_at) FILTER (WHERE term_end <= day) AS day_failed,
                    count(*) AS week, count(failed_at) AS week_failed
                FROM app_licenses CROSS JOIN unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS w (now, day, week)
                WHERE state = 'active' AND NOT is_replaced AND term_end IS NOT NULL AND term_end > now
                    AND term_end <= week
                GROUP BY tenant
            )
            SELECT m.tenant, coalesce(day, 0), coalesce(day_failed, 0), coalesce(week, 0), coalesce(week_failed, 0)
            FROM marketplaces m LEFT JOIN risk r ON r.tenant = m.tenant
            WHERE EXISTS (SELECT 1 FROM app_licenses l WHERE l.tenant = m.tenant) ORDER BY m.tenant
            """
    ) { row in
        RenewalRisk(
            tenant: try row.next(), day: Count(expiring: try row.next(), failed: try row.next()),
            week: Count(expiring: try row.next(), failed: try row.next()))
    }
}
