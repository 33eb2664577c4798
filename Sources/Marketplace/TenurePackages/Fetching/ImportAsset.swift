package import TenureCore
package import TenureMarketplaceServer
package import TenureStore

/// An asset of a package that is being fetched, with its progress.
package struct ImportAsset: Sendable, Hashable {
    package let tenant: TenantID
    /// The import that the asset belongs to.
    package let importID: String
    /// The asset's id from the manifest.
    package let asset: AssetID
    package let kind: AppAsset.Kind
    /// The asset's size from the manifest, in bytes.
    package let size: Int64
    /// The number of bytes that are safely on disk; all complete chunks among them are correct.
    package var fetched: Int64
    /// The strong entity tag of the fetched bytes; `nil` if the server sent none.
    ///
    /// The tag is sent with `If-Range`, so that a file never mixes two versions.
    package var etag: String?
    /// The asset's key blob from App Store Connect; `nil` if App Store Connect sent none.
    package var keyBlob: [UInt8]?
    /// Whether the file is complete and checked.
    package var isDone: Bool
    /// The number of failures since the last progress, for the retry plan.
    package var failures: Int
    /// The id of the job that fetches the asset.
    package let job: String

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
    package static let table = Table<ImportAsset>(
        "import_assets", key: ["tenant", "import", "asset"],
        [
            Field("tenant") { $0.tenant }, Field("import") { $0.importID }, Field("asset") { $0.asset },
            Field("kind") { $0.kind }, Field("size") { $0.size }, Field("fetched") { $0.fetched },
            Field("etag") { $0.etag }, Field("key_blob") { $0.keyBlob }, Field("is_done") { $0.isDone },
            Field("failures") { $0.failures }, Field("job") { $0.job },
        ],
        foreignKeys: [ForeignKey("tenant", "import", to: PackageImport.self)]
    ) { row in
        ImportAsset(
            tenant: try row.next(), importID: try row.next(), asset: try row.next(), kind: try row.next(),
            size: try row.next(), fetched: try row.next(), etag: try row.next(), keyBlob: try row.next(),
            isDone: try row.next(), failures: try row.next(), job: try row.next())
    }

    package static let ofTenant = table.set("of_tenant", "tenant")
    package static let ofImport = table.set("of_import", "tenant", "import")
}
