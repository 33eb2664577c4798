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
            Field("key_ending") { $0.key.ending },
            Field("policy") { $0.terms.policy }, Field("holder", namesPerson: true) { $0.terms.holder },
            Field("term_start") { $0.terms.term.start }, Field("term_end") { $0.terms.term.end },
            Field("unstarted_length") { $0.terms.unstarted }, Field("order_reference") { $0.terms.order },
            Field("activation_limit") { $0.terms.activationLimit },
            Field("holder_email", namesPerson: true) { $0.terms.holderEmail },
            Field("holder_name", namesPerson: true) { $0.terms.holderName }, Field("state") { $0.recordedState },
            Field("issued_at") { $0.issuedAt },
            Field("first_activated_at") { $0.firstActivatedAt },
            Field("devices_count_until") { $0.devicesCountUntil }, Field("key_root") { $0.keyRoot },
            Field("key_generation") { $0.keyGeneration }, Field("is_test") { $0.isTest },
            Field.fold("holder_folded", namesPerson: true) { $0.terms.holder },
            Field.fold("order_folded") { $0.terms.order },
            Field.fold("holder_email_folded", namesPerson: true) { $0.terms.holderEmail },
        ],
        foreignKeys: [ForeignKey(to: PolicyRow.self)],
        uniques: [Unique("by_key", "key_hash", "tenant", "product", leading: 1, meaning: "key_taken")],
        indexes: [
            TableIndex("by_tenant", "tenant", "id"),
            TableIndex("by_product", "tenant", "product", "id"),
            TableIndex("by_policy", "tenant", "product", "policy"),
            TableIndex("by_holder", "tenant", "holder_folded", "id", where: .isNotNull("holder_folded")),
            TableIndex(
                "by_holder_email", "tenant", "holder_email_folded", "id", where: .isNotNull("holder_email_folded")),
            TableIndex("by_key_ending", "tenant", "key_ending", "id", where: .isNotNull("key_ending")),
            TableIndex("by_order", "tenant", "order_folded", "id", where: .isNotNull("order_folded")),
            TableIndex(
                "to_expire", "term_end", where: .isOneOf("state", [License.State.issued, .active]),
                .isNotNull("term_end")),
        ]
    ) { row in
        License(
            id: try row.next(), product: try row.product(),
            key: try LicenseKey(&row), terms: try LicenseTerms(&row),
            recordedState: try row.next(), issuedAt: try row.next(), firstActivatedAt: try row.next(),
            devicesCountUntil: try row.next(), keyRoot: try row.next(), keyGeneration: try row.next(),
            isTest: try row.next())
    }

    /// Finds a license by the hash of its key, among those of one product.
    public static let byKey = table.unique("by_key")
    /// All licenses with this key hash, because tenants and products may share a key's text.
    public static let ofKey = table.set("of_key", "key_hash")
    /// A tenant's licenses with this key hash, because its products may share a key's text.
    ///
    /// They are ordered by product. Otherwise, SQLite would read all of the tenant's licenses in the order of their
    /// ids.
    public static let ofKeyAtTenant = table.set("of_key_at_tenant", "key_hash", "tenant", order: [.up("product")])
    /// The licenses of a tenant, ordered by id.
    public static let ofTenant = table.set("of_tenant", "tenant")
    /// The licenses of a product, ordered by id.
    public static let ofProduct = table.set("of_product", "tenant", "product")
    /// The licenses under a policy, ordered by id.
    public static let ofPolicy = table.set("of_policy", "tenant", "product", "policy")
    /// A tenant's licenses of a holder, compared by its fold, ordered by id.
    public static let ofHolder = table.set(
        "of_holder", "tenant", "holder_folded", where: .isNotNull("holder_folded"))
    /// A tenant's licenses with a holder, ordered by its fold and the id, to find those whose holder begins with a
    /// text.
    public static let byHolder = table.set(
        "with_holder", "tenant", where: .isNotNull("holder_folded"), order: [.up("holder_folded")])
    /// A tenant's licenses with this address for letters, compared by its fold, ordered by id.
    public static let ofHolderEmail = table.set(
        "of_holder_email", "tenant", "holder_email_folded", where: .isNotNull("holder_email_folded"))
    /// A tenant's licenses with an address for letters, ordered by its fold and the id, to find those whose address
    /// begins with a text.
    public static let byHolderEmail = table.set(
        "with_holder_email", "tenant", where: .isNotNull("holder_email_folded"), order: [.up("holder_email_folded")])
    /// A tenant's licenses whose keys have the same last four characters, ordered by id.
    public static let ofKeyEnding = table.set(
        "of_key_ending", "tenant", "key_ending", where: .isNotNull("key_ending"))
    /// A tenant's licenses with the same order reference, compared by its fold, ordered by id.
    public static let ofOrder = table.set(
        "of_order", "tenant", "order_folded", where: .isNotNull("order_folded"))
    /// The licenses whose term has an end and whose recorded state is `issued` or `active`, in the order of these ends.
    public static let toExpire = table.set(
        "to_expire", where: .isOneOf("state", [License.State.issued, .active]), .isNotNull("term_end"),
        order: [.up("term_end")])
}

extension LicenseKey {
    /// Reads the columns `key_hash`, `key_masked` and `key_ending`.
    init(_ row: inout RowCursor) throws {
        self.init(hash: try row.next(), masked: try row.next())
        // The ending follows from the masked key; it has a column of its own only so that it can be searched for.
        let stored: String? = try row.next()
        guard stored == ending else { throw StoreError.unreadable("the end of a key") }
    }
}

extension LicenseTerms {
    fileprivate init(_ row: inout RowCursor) throws {
        self.init(
            policy: try row.next(), holder: try row.next(), term: try row.term(), unstarted: try row.next(),
            order: try row.next(), activationLimit: try row.next(), holderEmail: try row.next(),
            holderName: try row.next())
    }
}
