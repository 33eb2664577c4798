public import TenureLicensing
import TenureCore
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
        parents: [License.table.shape]
    ) { row throws(StoreError) in
        FormerKey(
            product: try row.product(), hash: try row.next(), license: try row.next(), replacedAt: try row.next())
    }
}

extension Migration {
    /// Adds former license keys, and signing keys that are published before they sign.
    static let keys = Migration(
        "0009-keys",
        [
            .table(
                "former_keys",
                [
                    .init("tenant", .text), .init("product", .text), .init("key_hash", .blob),
                    .init("license_id", .integer), .init("replaced_at", .integer),
                ],
                key: ["tenant", "product", "key_hash"], references: [.init(["license_id"], to: "licenses")]),
            .table(
                "prepared_keys",
                [
                    .init("tenant", .text), .init("kid", .text), .init("public_key", .blob),
                    .init("sealed_seed", .blob),
                    .init("created_at", .integer),
                ],
                key: ["tenant"], references: [.init(["tenant"], to: "tenants")]),
        ])
}
