import TenureCore
import TenureFormats
import TenureServerKit

/// The payload of an import job: the import's id and, for a job that fetches one asset, the asset.
struct ImportWork: Sendable, Hashable {
    let id: String
    var asset: AssetID?
}

extension JobName where Payload == ImportWork {
    /// The job that reads a package version from App Store Connect, and publishes the package once its assets have
    /// arrived.
    static let packageImport = importing("packages.import")
    /// The job that fetches one asset of a package.
    static let importAsset = importing("packages.asset")

    private static func importing(_ name: String) -> JobName {
        JobName(name) { work, body in
            body.member("import", work.id)
            body.member("asset", work.asset?.text)
        } read: { body in
            guard let id = body.string("import").value else { return nil }
            return ImportWork(id: id, asset: body.string("asset").value.flatMap { AssetID($0) })
        }
    }
}
