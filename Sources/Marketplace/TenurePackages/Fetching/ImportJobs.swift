import TenureCore
import TenureFormats
import TenureServerKit

/// The payload of an import job: the import, and the asset or `nil` for the whole import.
struct ImportWork: Sendable, Hashable {
    let id: String
    var asset: AssetID?
}

extension JobName where Payload == ImportWork {
    /// Reads a version of a package from App Store Connect, and publishes it once its assets are there.
    static let packageImport = importing("packages.import")
    /// Fetches one asset of a package.
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
