import TenureCore
public import TenureLicensing
import TenureServerKit
public import TenureStore

extension FormerKey: Stored {
    /// Keys that licenses had before; a key that several licenses had belongs to the last of them.
    public static let table = Table<FormerKey>(
        "former_keys", key: ["tenant", "product", "key_hash"],
        [
            Field("tenant") { $0.product.tenant }, Field("product") { $0.product.product },
            Field("key_hash") { $0.hash },
            Field("license_id") { $0.license }, Field("replaced_at") { $0.replacedAt },
        ],
        foreignKeys: [ForeignKey("license_id", to: License.self)]
    ) { row in
        FormerKey(
            product: try row.product(), hash: try row.next(), license: try row.next(), replacedAt: try row.next())
    }
}
