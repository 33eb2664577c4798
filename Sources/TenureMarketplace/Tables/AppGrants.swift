public import TenureCore
public import TenureStore

extension AppGrant: Stored {
    /// Rights of accounts to apps, ended ones too.
    public static let table = Table<AppGrant>(
        "app_grants", key: ["tenant", "account", "item"],
        [
            Field("tenant") { $0.account.tenant }, Field("account") { $0.account.account },
            Field("item") { $0.item }, Field("term_start") { $0.term.start }, Field("term_end") { $0.term.end },
            Field("granted_at") { $0.grantedAt }, Field("ended_at") { $0.endedAt },
        ],
        parents: [Account.table.shape]
    ) { row throws(StoreError) in
        AppGrant(
            account: try row.account(), item: try row.next(), term: try row.term(), grantedAt: try row.next(),
            endedAt: try row.next())
    }

    /// An account's, in the order of their apps.
    public static let ofAccount = table.set("of_account", "tenant", "account")
}

/// Names the right of an account to an app, within a tenant.
public struct AppRightRef: Sendable, Hashable, Comparable {
    /// Whose.
    public let account: AccountID
    /// To what.
    public let item: AppleItemID

    /// Names a right.
    public init(account: AccountID, item: AppleItemID) {
        self.account = account
        self.item = item
    }

    /// Orders by account, then app.
    public static func < (one: AppRightRef, other: AppRightRef) -> Bool {
        (one.account, one.item) < (other.account, other.item)
    }
}

/// A device that holds a license under a right of an account to an app.
public struct AppHolder: Sendable, Hashable {
    /// Whose right.
    public let account: AccountRef
    /// To what.
    public let item: AppleItemID
    /// The device, by its hash.
    public let device: Digest

    /// The right, within the account's tenant.
    public var right: AppRightRef { AppRightRef(account: account.account, item: item) }
}

extension AppHolder {
    /// The devices that hold a license now; see ``TenureCore/AppLicense/takesPlace(at:)``. Its list: tenant, account, app
    /// and now.
    ///
    /// Of each right at most one device more than any app's limit can reach.
    public static let ofRights = View<AppHolder>(
        "devices of rights", [.text, .text, .integer, .integer], touches: [AppLicense.table.shape],
        sqlite: """
            SELECT DISTINCT tenant, account, item, device FROM app_licenses
            WHERE tenant = ?1 AND account = ?2 AND item = ?3 AND state IN ('active', 'suspended')
                AND ifnull(term_end, 9223372036854775807) > ?4
            LIMIT \(enough)
            """,
        postgres: """
            SELECT of_tenant, of_account, of_item, device
            FROM (
                SELECT DISTINCT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[])
            ) AS wanted (of_tenant, of_account, of_item, at)
            \(holders)
            """, read: read)

    /// The same for the rights of the accounts that licenses belong to. Its list: license, tenant and now.
    public static let ofLicenses = View<AppHolder>(
        "devices of the rights of licenses", [.integer, .text, .integer], touches: [AppLicense.table.shape],
        sqlite: """
            SELECT DISTINCT h.tenant, h.account, h.item, h.device FROM app_licenses l
            JOIN app_licenses h ON h.tenant = l.tenant AND h.account = l.account AND h.item = l.item
            WHERE l.id = ?1 AND l.tenant = ?2 AND h.state IN ('active', 'suspended')
                AND ifnull(h.term_end, 9223372036854775807) > ?3
            LIMIT \(enough)
            """,
        postgres: """
            SELECT of_tenant, of_account, of_item, device
            FROM (
                SELECT DISTINCT l.tenant, l.account, l.item, w.at
                FROM unnest($1::bigint[], $2::text[], $3::bigint[]) AS w (id, tenant, at)
                JOIN app_licenses l ON l.id = w.id AND l.tenant = w.tenant WHERE l.account IS NOT NULL
            ) AS wanted (of_tenant, of_account, of_item, at)
            \(holders)
            """, read: read)

    private static let enough = AppLicenseRules.highestDeviceLimit + 1

    private static let holders = """
        CROSS JOIN LATERAL (
            SELECT DISTINCT device FROM app_licenses
            WHERE tenant = of_tenant AND account = of_account AND item = of_item AND state IN ('active', 'suspended')
                AND coalesce(term_end, 9223372036854775807) > at
            LIMIT \(enough)) AS h
        """

    private static let read: @Sendable (inout RowCursor) throws(StoreError) -> AppHolder = { row throws(StoreError) in
        AppHolder(account: try row.account(), item: try row.next(), device: try row.next())
    }
}
