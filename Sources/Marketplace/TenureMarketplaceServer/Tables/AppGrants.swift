package import TenureCore
package import TenureMarketplace
public import TenureStore

extension AppGrant: Stored {
    /// The table of grants, including ended ones.
    package static let table = Table<AppGrant>(
        "app_grants", key: ["tenant", "account", "item"],
        [
            Field("tenant") { $0.account.tenant }, Field("account", namesPerson: true) { $0.account.account },
            Field("item") { $0.item }, Field("term_start") { $0.term.start }, Field("term_end") { $0.term.end },
            Field("granted_at") { $0.grantedAt }, Field("ended_at") { $0.endedAt },
        ],
        foreignKeys: [ForeignKey(to: Account.self)]
    ) { row in
        AppGrant(
            account: try row.account(), item: try row.next(), term: try row.term(), grantedAt: try row.next(),
            endedAt: try row.next())
    }

    /// The grants of an account, sorted by app.
    package static let ofAccount = table.set("of_account", "tenant", "account")
}

/// The key of an account's grant for an app, unique within a tenant.
package struct AppRightRef: Sendable, Hashable, Comparable {
    package let account: AccountID
    package let item: AppleItemID

    package init(account: AccountID, item: AppleItemID) {
        self.account = account
        self.item = item
    }

    /// Compares accounts, then apps.
    package static func < (one: AppRightRef, other: AppRightRef) -> Bool {
        (one.account, one.item) < (other.account, other.item)
    }
}

/// A device that counts towards the limits of a grant: it has a license, or it was released and still counts for some
/// time.
package struct AppDevice: Sendable, Hashable {
    /// The account with the grant.
    package let account: AccountRef
    package let item: AppleItemID
    package let device: Digest
    /// When a released device stops counting towards the limits; `nil` for a device with a license.
    package let until: Timestamp?

    /// The grant's key within the tenant.
    package var right: AppRightRef { AppRightRef(account: account.account, item: item) }
}

extension AppDevice {
    /// The devices that count toward the device limit or the limit on device changes.
    ///
    /// A device counts while it has a license (see ``AppLicense/isDeviceActive(at:)``), and for some time after its
    /// release. The parameters are tenant, account, app and now. The number of devices per grant is capped just above
    /// the highest possible limits.
    package static let ofRights = NamedQuery<AppDevice>(
        "devices of rights", [.text, .text, .integer, .integer], touches: [AppLicense.table.shape],
        sqlite: """
            SELECT tenant, account, item, device, CASE WHEN max(\(holding("?4"))) THEN NULL ELSE max(counts_until) END
            FROM app_licenses
            WHERE tenant = ?1 AND account = ?2 AND item = ?3 AND (\(holding("?4")) OR counts_until > ?4)
            GROUP BY tenant, account, item, device
            LIMIT \(enough)
            """,
        postgres: """
            SELECT of_tenant, of_account, of_item, device, until
            FROM (
                SELECT DISTINCT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[])
            ) AS wanted (of_tenant, of_account, of_item, at)
            CROSS JOIN LATERAL (
                SELECT device, CASE WHEN bool_or(\(holding("at"))) THEN NULL ELSE max(counts_until) END AS until
                FROM app_licenses
                WHERE tenant = of_tenant AND account = of_account AND item = of_item
                    AND (\(holding("at")) OR counts_until > at)
                GROUP BY device LIMIT \(enough)) AS h
            """, read: read)

    /// The devices that have a license of the same account and app as one of the named licenses.
    ///
    /// The parameters are license, tenant and now.
    package static let ofLicenses = NamedQuery<AppDevice>(
        "devices of the rights of licenses", [.integer, .text, .integer], touches: [AppLicense.table.shape],
        sqlite: """
            SELECT DISTINCT h.tenant, h.account, h.item, h.device, NULL FROM app_licenses l
            JOIN app_licenses h ON h.tenant = l.tenant AND h.account = l.account AND h.item = l.item
            WHERE l.id = ?1 AND l.tenant = ?2 AND h.state IN ('active', 'suspended')
                AND ifnull(h.term_end, 9223372036854775807) > ?3
            LIMIT \(enough)
            """,
        postgres: """
            SELECT of_tenant, of_account, of_item, device, NULL::bigint
            FROM (
                SELECT DISTINCT l.tenant, l.account, l.item, w.at
                FROM unnest($1::bigint[], $2::text[], $3::bigint[]) AS w (id, tenant, at)
                JOIN app_licenses l ON l.id = w.id AND l.tenant = w.tenant WHERE l.account IS NOT NULL
            ) AS wanted (of_tenant, of_account, of_item, at)
            CROSS JOIN LATERAL (
                SELECT DISTINCT device FROM app_licenses
                WHERE tenant = of_tenant AND account = of_account AND item = of_item AND \(holding("at"))
                LIMIT \(enough)) AS h
            """, read: read)

    /// One more than the highest device limit plus the highest limit on device changes.
    private static let enough = AppLicense.Rules.highestDeviceLimit + 10_000 + 1

    /// The SQL condition for a license that counts toward the device limit, in both dialects.
    private static func holding(_ now: String) -> String {
        "(state IN ('active', 'suspended') AND coalesce(term_end, 9223372036854775807) > \(now))"
    }

    private static let read: @Sendable (inout RowCursor) throws -> AppDevice = { row in
        AppDevice(
            account: try row.account(), item: try row.next(), device: try row.next(), until: try row.next())
    }
}
