import TenureCore
package import TenureMarketplace
public import TenureStore

extension AppLicense: Stored {
    /// The table of app licenses in every state.
    package static let table = Table<AppLicense>(
        "app_licenses", key: ["id"],
        [
            Field("id") { $0.id }, Field("tenant") { $0.tenant }, Field("item") { $0.asset.item },
            Field("version") { $0.asset.version }, Field("asset") { $0.asset.asset },
            Field("account", namesPerson: true) { $0.account }, Field("device") { $0.device },
            Field("request") { $0.request },
            Field("issued_at") { $0.issuedAt }, Field("term_start") { $0.term.start },
            Field("term_end") { $0.term.end }, Field("term_request") { $0.termRequest },
            Field("state") { $0.recordedState }, Field("stopped_at") { $0.stoppedAt },
            Field("failed_at") { $0.failedAt }, Field("is_replaced") { $0.isReplaced },
            Field("counts_until") { $0.countsUntil }, Field("failed_key") { $0.failedKey },
        ],
        foreignKeys: [ForeignKey(to: AppRow.self), ForeignKey(to: Account.self)],
        indexes: [
            TableIndex("by_app", "tenant", "item", "id"), TableIndex("by_device", "device", "tenant", "item"),
            TableIndex("by_account", "tenant", "account", "item", "device", where: .isNotNull("account")),
            TableIndex(
                "to_renew", "term_end", "tenant", "failed_at", "state", "is_replaced",
                where: .equals("state", LifecycleState.active), .equals("is_replaced", false),
                .isNotNull("term_end")),
        ]
    ) { row in
        AppLicense(
            id: try row.next(), tenant: try row.next(), asset: try row.asset(), account: try row.next(),
            device: try row.next(), request: try row.next(), issuedAt: try row.next(), term: try row.term(),
            termRequest: try row.next(), recordedState: try row.next(), stoppedAt: try row.next(),
            failedAt: try row.next(), isReplaced: try row.next(), countsUntil: try row.next(), failedKey: try row.next()
        )
    }

    /// A device's licenses for an app and an account, oldest first.
    package static let earlierOfAccount = table.set(
        "earlier_of_account", "device", "tenant", "item", "account", order: [.up("issued_at")], leading: 3)
    /// A device's licenses for an app without an account, oldest first.
    package static let earlierOfDevice = table.set(
        "earlier_of_device", "device", "tenant", "item", where: .isNull("account"), order: [.up("issued_at")])
    /// The licenses of an app, sorted by id.
    package static let ofApp = table.set("of_app", "tenant", "item")
    /// The licenses of an account, sorted by id.
    package static let ofAccount = table.set("of_account", "tenant", "account", where: .isNotNull("account"))
    /// The licenses of a device, sorted by id.
    package static let ofDevice = table.set("of_device", "device")
}

// Every decision about app licenses concerns one owner: an account, or a device at an open marketplace. The lock on the
// owner covers its licenses and grants, including those without a row yet.
extension AppLicense {
    /// Serializes the transactions of an account until they commit.
    ///
    /// The parameters are tenant and account.
    package static let turnOfAccount = QueryLock(
        [.text, .text],
        postgres: """
            SELECT hashtextextended(tenant || '/account/' || account, 0)
            FROM unnest($1::text[], $2::text[]) AS w (tenant, account)
            """)

    /// Serializes the transactions of a device without an account until they commit.
    ///
    /// The parameters are device and tenant.
    package static let turnOfDevice = QueryLock(
        [.blob, .text],
        postgres: """
            SELECT hashtextextended(tenant || '/device/' || encode(device, 'hex'), 0)
            FROM unnest($1::bytea[], $2::text[]) AS w (device, tenant)
            """)

    /// Serializes the transactions of the licenses' owners until they commit.
    ///
    /// The parameters are license ids. A license's owner never changes, so it can be read before it is locked. No
    /// request can name a license that doesn't exist yet.
    package static let turnOfOwner = QueryLock(
        [.integer],
        postgres: """
            SELECT hashtextextended(
                tenant || coalesce('/account/' || account, '/device/' || encode(device, 'hex')), 0)
            FROM app_licenses WHERE id = ANY ($1::bigint[])
            """)
}

extension AppLicense {
    /// The account that the license belongs to; `nil` at an open marketplace.
    var owner: AccountRef? { account.map { AccountRef(tenant: tenant, account: $0) } }
}
