package import TenureCore
package import TenureStore

/// An asset of an app version, with the key blob that licenses for the asset contain.
package struct AppAsset: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The complete app for certain devices.
        case variant
        /// An update from an older version to this one.
        case delta
    }

    package let tenant: TenantID
    /// The asset's identity: app, version and asset id.
    package let ref: AssetRef
    package let kind: Kind
    /// Apple's opaque key blob, 1 to 4,096 bytes; `nil` if it's missing.
    package let keyBlob: [UInt8]?
    /// Whether the blob was generated for the simulated engine.
    package let isSimulated: Bool

    package init(tenant: TenantID, ref: AssetRef, kind: Kind, keyBlob: [UInt8]?, isSimulated: Bool) {
        self.tenant = tenant
        self.ref = ref
        self.kind = kind
        self.keyBlob = keyBlob
        self.isSimulated = isSimulated
    }
}

extension AppAsset.Kind: StorableCode {}

extension AppAsset: Stored {
    package static let table = Table<AppAsset>(
        "app_assets", key: ["tenant", "item", "version", "asset"],
        [
            Field("tenant") { $0.tenant }, Field("item") { $0.ref.item }, Field("version") { $0.ref.version },
            Field("asset") { $0.ref.asset }, Field("kind") { $0.kind }, Field("key_blob") { $0.keyBlob },
            Field("is_simulated") { $0.isSimulated },
        ],
        foreignKeys: [ForeignKey(to: VersionRow.self)],
        indexes: [
            TableIndex("with_key", "tenant", "item", "version", "asset", where: .isNotNull("key_blob"))
        ],
        changesAlone: true, layout: .largeRows
    ) { row in
        AppAsset(
            tenant: try row.next(), ref: try row.asset(), kind: try row.next(), keyBlob: try row.next(),
            isSimulated: try row.next())
    }

    package static let ofTenant = table.set("of_tenant", "tenant")
    package static let ofApp = table.set("of_app", "tenant", "item")
    package static let ofVersion = table.set("of_version", "tenant", "item", "version")
}

/// The identity of an asset that has a key.
package struct KeyedAsset: Sendable, Hashable {
    package let tenant: TenantID
    /// The asset's identity: app, version and asset id.
    package let ref: AssetRef
}

extension KeyedAsset {
    /// All assets that have a key, without the keys.
    package static let all = NamedQuery<KeyedAsset>(
        "keyed assets", touches: [AppAsset.table.shape],
        sqlite: "SELECT tenant, item, version, asset FROM app_assets WHERE key_blob IS NOT NULL",
        postgres: "SELECT tenant, item, version, asset FROM app_assets WHERE key_blob IS NOT NULL"
    ) { row in
        KeyedAsset(tenant: try row.next(), ref: try row.asset())
    }
}
