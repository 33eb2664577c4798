import TenureCore
import TenureFormats
import TenureServerKit

/// Which import a job is for, and which of its assets; nil for the import as a whole.
struct ImportWork: Sendable, Hashable {
    let id: String
    var asset: AssetID?
}

extension JobName where Payload == ImportWork {
    /// Asks App Store Connect for a version of a package, and at the end lets it be served.
    static let packageImport = importing("packages.import")
    /// Fetches one asset of it.
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
