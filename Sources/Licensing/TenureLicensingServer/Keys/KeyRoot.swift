package import TenureCore
package import TenureLicensing
import TenureServerKit
package import TenureStore

/// A tenant's root, from which keys of its licenses are derived; encrypted under the master key.
///
/// A root never changes: otherwise, keys that were derived from it couldn't be computed again.
package struct KeyRoot: Sendable, Hashable {
    package let id: KeyRootID
    package let tenant: TenantID
    /// The root's 32 random bytes, encrypted under the master key.
    package let sealedRoot: [UInt8]
    package let createdAt: Timestamp

    package init(id: KeyRootID, tenant: TenantID, sealedRoot: [UInt8], createdAt: Timestamp) {
        self.id = id
        self.tenant = tenant
        self.sealedRoot = sealedRoot
        self.createdAt = createdAt
    }
}

extension KeyRoot: Stored {
    package static let table = Table<KeyRoot>(
        "key_roots", key: ["id"],
        [
            Field("id") { $0.id }, Field("tenant") { $0.tenant }, Field("sealed_root") { $0.sealedRoot },
            Field("created_at") { $0.createdAt },
        ],
        foreignKeys: [ForeignKey(to: TenantRow.self)],
        indexes: [TableIndex("by_tenant", "tenant", "created_at", "id")]
    ) { row in
        KeyRoot(
            id: try row.next(), tenant: try row.next(), sealedRoot: try row.next(), createdAt: try row.next())
    }

    /// A tenant's roots, newest first.
    package static let ofTenant = table.set("of_tenant", "tenant", order: [.down("created_at")])
}
