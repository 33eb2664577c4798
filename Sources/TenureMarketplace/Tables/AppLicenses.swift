public import TenureCore
public import TenureStore

extension AppLicense: Stored {
    /// App licenses in every state.
    public static let table = Table<AppLicense>(
        "app_licenses", key: ["id"],
        [
            Field("id") { $0.id }, Field("tenant") { $0.tenant }, Field("item") { $0.asset.item },
            Field("version") { $0.asset.version }, Field("asset") { $0.asset.asset },
            Field("account") { $0.account }, Field("device") { $0.device }, Field("request") { $0.request },
            Field("issued_at") { $0.issuedAt }, Field("term_start") { $0.term.start },
            Field("term_end") { $0.term.end }, Field("term_request") { $0.termRequest },
            Field("state") { $0.recordedState }, Field("stopped_at") { $0.stoppedAt },
            Field("failed_at") { $0.failedAt }, Field("is_replaced") { $0.isReplaced },
            Field("counts_until") { $0.countsUntil },
        ],
        parents: [AppRow.table.shape, Account.table.shape]
    ) { row throws(StoreError) in
        AppLicense(
            id: try row.next(), tenant: try row.next(), asset: try row.asset(), account: try row.next(),
            device: try row.next(), request: try row.next(), issuedAt: try row.next(), term: try row.term(),
            termRequest: try row.next(), recordedState: try row.next(), stoppedAt: try row.next(),
            failedAt: try row.next(), isReplaced: try row.next(), countsUntil: try row.next())
    }

    /// Those that a device got for an app and an account, the oldest first.
    public static let earlierOfAccount = table.set(
        "earlier_of_account", "device", "tenant", "item", "account", order: [.up("issued_at")], leading: 3)
    /// Those that a device got for an app without an account, the oldest first.
    public static let earlierOfDevice = table.set(
        "earlier_of_device", "device", "tenant", "item", where: .isNull("account"), order: [.up("issued_at")])
    /// Those of an app, in the order of their ids.
    public static let ofApp = table.set("of_app", "tenant", "item")
    /// An account's, in the order of their ids.
    public static let ofAccount = table.set("of_account", "tenant", "account", where: .isNotNull("account"))
    /// A device's, in the order of their ids.
    public static let ofDevice = table.set("of_device", "device")
}

// All that a decision about app licenses looks at belongs to an owner, an account or at an open marketplace a device. An
// owner's lock stands for its licenses and rights, those included that have no row yet.
extension AppLicense {
    /// Keeps accounts apart until the commit. Its list: tenant and account.
    public static let turnOfAccount = Guard(
        [.text, .text],
        postgres: """
            SELECT hashtextextended(tenant || '/account/' || account, 0)
            FROM unnest($1::text[], $2::text[]) AS w (tenant, account)
            """)

    /// Keeps devices without an account apart until the commit. Its list: device and tenant.
    public static let turnOfDevice = Guard(
        [.blob, .text],
        postgres: """
            SELECT hashtextextended(tenant || '/device/' || encode(device, 'hex'), 0)
            FROM unnest($1::bytea[], $2::text[]) AS w (device, tenant)
            """)

    /// Keeps the owners of licenses apart until the commit. Its list: ids of licenses.
    ///
    /// A license's owner never changes, so it is read before it is locked; a license that is not there yet has an id that
    /// nobody can name.
    public static let turnOfOwner = Guard(
        [.integer],
        postgres: """
            SELECT hashtextextended(
                tenant || coalesce('/account/' || account, '/device/' || encode(device, 'hex')), 0)
            FROM app_licenses WHERE id = ANY ($1::bigint[])
            """)
}

extension AppLicense {
    /// Whose it is; nil at an open marketplace.
    var owner: AccountRef? { account.map { AccountRef(tenant: tenant, account: $0) } }
}
