import TenureCore
public import TenureLicensing
import TenureServerKit
public import TenureStore

extension FormerKey: Stored {
    /// Keys that licenses had before; a former key of several licenses belongs to the last of them.
    public static let table = Table<FormerKey>(
        "former_keys", key: ["tenant", "product", "key_hash"],
        [
            Field("tenant") { $0.product.tenant }, Field("product") { $0.product.product },
            Field("key_hash") { $0.key.hash }, Field("key_masked") { $0.key.masked },
            Field("key_ending") { $0.key.ending }, Field("license_id") { $0.license },
            Field("replaced_at") { $0.replacedAt }, Field("replaced_by") { $0.replacedBy },
            Field("activated_before") { $0.activatedBefore },
        ],
        foreignKeys: [ForeignKey("license_id", to: License.self)],
        indexes: [
            TableIndex("by_hash", "key_hash"), TableIndex("by_license", "license_id"),
            TableIndex("by_key_ending", "tenant", "key_ending", where: .isNotNull("key_ending")),
        ]
    ) { row in
        FormerKey(
            product: try row.product(), key: try LicenseKey(&row), license: try row.next(), replacedAt: try row.next(),
            replacedBy: try row.next(), activatedBefore: try row.next())
    }

    /// All former keys with this hash, because tenants and products may share a key's text.
    public static let ofHash = table.set("of_hash", "key_hash")
    /// The former keys of a license, latest first.
    public static let ofLicense = table.set("of_license", "license_id", order: [.down("replaced_at")])
    /// The former keys of a license that devices may still use.
    public static let inUse = table.set("in_use", "license_id", where: .isNotNull("activated_before"))
    /// The former keys of a tenant with the same last four characters.
    public static let ofKeyEnding = table.set(
        "of_key_ending", "tenant", "key_ending", where: .isNotNull("key_ending"))
}
