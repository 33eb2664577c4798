public import TenureCore
public import TenureStore

extension License: Stored {
    /// Licenses for software, in every state.
    public static let table = Table<License>(
        "licenses", key: ["id"],
        [
            Field("id") { $0.id }, Field("tenant") { $0.product.tenant }, Field("product") { $0.product.product },
            Field("key_hash") { $0.key.hash }, Field("key_masked") { $0.key.masked }, Field("policy") { $0.policy },
            Field("holder") { $0.holder }, Field("term_start") { $0.term.start }, Field("term_end") { $0.term.end },
            Field("state") { $0.recordedState }, Field("issued_at") { $0.issuedAt },
            Field("first_activated_at") { $0.firstActivatedAt },
            Field("devices_count_until") { $0.devicesCountUntil },
        ],
        parents: [PolicyRow.table.shape],
        uniques: [Unique("by_key", "key_hash", "tenant", "product", leading: 1, meaning: "key_taken")]
    ) { row throws(StoreError) in
        License(
            id: try row.next(), product: try row.product(),
            key: LicenseKey(hash: try row.next(), masked: try row.next()), policy: try row.next(),
            holder: try row.next(), term: try row.term(), recordedState: try row.next(), issuedAt: try row.next(),
            firstActivatedAt: try row.next(), devicesCountUntil: try row.next())
    }

    /// Finds a license by the hash of its key, among those of one product.
    public static let byKey = table.unique("by_key")
    /// Those that have a key's text: tenants and products may share it.
    public static let ofKey = table.set("of_key", "key_hash")
    /// Those of a product, in the order of their ids.
    public static let ofProduct = table.set("of_product", "tenant", "product")
    /// Those under a policy, in the order of their ids.
    public static let ofPolicy = table.set("of_policy", "tenant", "product", "policy")
    /// A holder's, compared exactly, in the order of their ids.
    public static let ofHolder = table.set("of_holder", "holder", where: .isNotNull("holder"))
    /// Those that end and are not written down as ended, the first to end first.
    public static let toExpire = table.set(
        "to_expire", where: .isOneOf("state", [License.State.issued, .active]), .isNotNull("term_end"),
        order: [.up("term_end")])
}
