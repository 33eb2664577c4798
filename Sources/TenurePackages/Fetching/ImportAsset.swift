package import TenureCore
package import TenureMarketplace
package import TenureStore

/// An asset of a package that is being fetched, and how far that is.
package struct ImportAsset: Sendable, Hashable {
    /// Whose marketplace.
    package let tenant: TenantID
    /// Of which import.
    package let importID: String
    /// Its name, as the manifest has it.
    package let asset: AssetID
    /// What it is.
    package let kind: AppAsset.Kind
    /// Its bytes, as the manifest has them.
    package let size: Int64
    /// Bytes that are on the disk for good, and were compared with their digests as far as chunks are whole.
    package var fetched: Int64
    /// What its file was called when those came: more of it is taken of the same file alone.
    package var etag: String?
    /// Its key blob, from App Store Connect.
    package var keyBlob: [UInt8]?
    /// Whether all of it is there.
    package var isDone: Bool
    /// How often it failed since it last came any further.
    package var failures: Int
    /// The job that fetches it.
    package let job: String

    /// Puts it together.
    package init(
        tenant: TenantID, importID: String, asset: AssetID, kind: AppAsset.Kind, size: Int64, fetched: Int64,
        etag: String?, keyBlob: [UInt8]?, isDone: Bool, failures: Int, job: String
    ) {
        self.tenant = tenant
        self.importID = importID
        self.asset = asset
        self.kind = kind
        self.size = size
        self.fetched = fetched
        self.etag = etag
        self.keyBlob = keyBlob
        self.isDone = isDone
        self.failures = failures
        self.job = job
    }
}

extension ImportAsset: Stored {
    /// Assets that are being fetched.
    package static let table = Table<ImportAsset>(
        "import_assets", key: ["tenant", "import", "asset"],
        [
            Field("tenant") { $0.tenant }, Field("import") { $0.importID }, Field("asset") { $0.asset },
            Field("kind") { $0.kind }, Field("size") { $0.size }, Field("fetched") { $0.fetched },
            Field("etag") { $0.etag }, Field("key_blob") { $0.keyBlob }, Field("is_done") { $0.isDone },
            Field("failures") { $0.failures }, Field("job") { $0.job },
        ],
        parents: [PackageImport.table.shape]
    ) { row throws(StoreError) in
        ImportAsset(
            tenant: try row.next(), importID: try row.next(), asset: try row.next(), kind: try row.next(),
            size: try row.next(), fetched: try row.next(), etag: try row.next(), keyBlob: try row.next(),
            isDone: try row.next(), failures: try row.next(), job: try row.next())
    }

    /// A tenant's.
    package static let ofTenant = table.set("of_tenant", "tenant")
    /// Those of an import.
    package static let ofImport = table.set("of_import", "tenant", "import")
}
