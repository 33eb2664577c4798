import TenureCore
public import TenureLicensing
public import TenureStore

extension License: Stored {
    /// Software licenses in every state.
    public static let table = Table<License>(
        "licenses", key: ["id"],
        [
            Field("id") { $0.id }, Field("tenant") { $0.product.tenant }, Field("product") { $0.product.product },
            Field("key_hash") { $0.key.hash }, Field("key_masked") { $0.key.masked },
            Field("policy") { $0.terms.policy }, Field("holder") { $0.terms.holder },
            Field("term_start") { $0.terms.term.start }, Field("term_end") { $0.terms.term.end },
            Field("unstarted_length") { $0.terms.unstarted },
            Field("state") { $0.recordedState }, Field("issued_at") { $0.issuedAt },
            Field("first_activated_at") { $0.firstActivatedAt },
            Field("devices_count_until") { $0.devicesCountUntil },
        ],
        foreignKeys: [ForeignKey(to: PolicyRow.self)],
        uniques: [Unique("by_key", "key_hash", "tenant", "product", leading: 1, meaning: "key_taken")],
        indexes: [
            TableIndex("by_product", "tenant", "product", "id"),
            TableIndex("by_policy", "tenant", "product", "policy"),
            TableIndex("by_holder", "holder", where: .isNotNull("holder")),
            TableIndex(
                "to_expire", "term_end", where: .isOneOf("state", [License.State.issued, .active]),
                .isNotNull("term_end")),
        ]
    ) { row in
        License(
            id: try row.next(), product: try row.product(),
            key: LicenseKey(hash: try row.next(), masked: try row.next()), terms: try LicenseTerms(&row),
            recordedState: try row.next(), issuedAt: try row.next(), firstActivatedAt: try row.next(),
            devicesCountUntil: try row.next())
    }

    /// Finds a license by the hash of its key, among those of one product.
    public static let byKey = table.unique("by_key")
    /// All licenses with this key hash, because tenants and products may share a key's text.
    public static let ofKey = table.set("of_key", "key_hash")
    /// The licenses of a product, ordered by id.
    public static let ofProduct = table.set("of_product", "tenant", "product")
    /// The licenses under a policy, ordered by id.
    public static let ofPolicy = table.set("of_policy", "tenant", "product", "policy")
    /// The licenses of a holder, compared exactly, ordered by id.
    public static let ofHolder = table.set("of_holder", "holder", where: .isNotNull("holder"))
    /// The licenses that end and aren't yet recorded as expired, in the order of their ends.
    public static let toExpire = table.set(
        "to_expire", where: .isOneOf("state", [License.State.issued, .active]), .isNotNull("term_end"),
        order: [.up("term_end")])
}

extension LicenseTerms {
    fileprivate init(_ row: inout RowCursor) throws {
        self.init(policy: try row.next(), holder: try row.next(), term: try row.term(), unstarted: try row.next())
    }
}
