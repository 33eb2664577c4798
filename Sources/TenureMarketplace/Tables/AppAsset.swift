public import TenureCore
public import TenureStore

/// An asset of an app's version with the key that its licenses carry.
public struct AppAsset: Sendable, Hashable {
    /// What an asset is.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The whole app for some devices.
        case variant
        /// What turns an older version into this one.
        case delta
    }

    /// Whose marketplace.
    public let tenant: TenantID
    /// Its name.
    public let ref: AssetRef
    /// What it is.
    public let kind: Kind
    /// Apple's key blob, opaque, at most 4096 bytes; nil while there is none.
    public let keyBlob: [UInt8]?
    /// Whether the blob was made by the simulated engine.
    public let isSimulated: Bool

    /// Puts it together.
    public init(tenant: TenantID, ref: AssetRef, kind: Kind, keyBlob: [UInt8]?, isSimulated: Bool) {
        self.tenant = tenant
        self.ref = ref
        self.kind = kind
        self.keyBlob = keyBlob
        self.isSimulated = isSimulated
    }
}

extension AppAsset.Kind: StorableCode {}

extension AppAsset: Stored {
    /// Assets of apps with their keys.
    public static let table = Table<AppAsset>(
        "app_assets", key: ["tenant", "item", "version", "asset"],
        [
            Field("tenant") { $0.tenant }, Field("item") { $0.ref.item }, Field("version") { $0.ref.version },
            Field("asset") { $0.ref.asset }, Field("kind") { $0.kind }, Field("key_blob") { $0.keyBlob },
            Field("is_simulated") { $0.isSimulated },
        ],
        parents: [VersionRow.table.shape], changesAlone: true
    ) { row throws(StoreError) in
        AppAsset(
            tenant: try row.next(), ref: try row.asset(), kind: try row.next(), keyBlob: try row.next(),
            isSimulated: try row.next())
    }

    /// A tenant's.
    public static let ofTenant = table.set("of_tenant", "tenant")
    /// Those of an app.
    public static let ofApp = table.set("of_app", "tenant", "item")
    /// Those of a version of an app.
    public static let ofVersion = table.set("of_version", "tenant", "item", "version")
}

/// The name of an asset that has a key.
public struct KeyedAsset: Sendable, Hashable {
    /// Whose marketplace.
    public let tenant: TenantID
    /// Its name.
    public let ref: AssetRef
}

extension KeyedAsset {
    /// The names of all assets that have a key, without the keys.
    public static let all = View<KeyedAsset>(
        "keyed assets", touches: [AppAsset.table.shape],
        sqlite: "SELECT tenant, item, version, asset FROM app_assets WHERE key_blob IS NOT NULL",
        postgres: "SELECT tenant, item, version, asset FROM app_assets WHERE key_blob IS NOT NULL"
    ) { row throws(StoreError) in
        KeyedAsset(tenant: try row.next(), ref: try row.asset())
    }
}
