import TenureCore
import TenureMarketplace
import TenureServerKit

/// The folder of package files, laid out as `TENANT/APP/VERSION/` with exactly the files that devices may request.
///
/// Packages in preparation are below `.incoming`, which no URL reaches.
package struct PackageStore: Sendable {
    /// The path of the packages folder.
    package let path: String

    /// Creates a value for a path, where the folder needn't exist yet.
    package init(_ path: String) { self.path = path }

    static let incoming = ".incoming"

    /// Opens a file of a package by its path components; `nil` if it doesn't exist.
    func file(_ parts: [String], of ref: PackageRef) throws(ServerError) -> OpenFile? {
        try folder(of: ref)?.file(at: parts)
    }

    /// Reads the manifest that is served for a package; `nil` if it's missing or invalid.
    func manifest(of ref: PackageRef) throws(ServerError) -> PackageManifest? {
        guard let file = try file(["manifest.json"], of: ref), file.size <= PackageManifest.byteLimit else {
            return nil
        }
        return try? PackageManifest(parsing: file.read())
    }

    /// Opens a package's folder; `nil` if it doesn't exist.
    func folder(of ref: PackageRef) throws(ServerError) -> Folder? {
        var folder = try Folder.open(path)
        for part in ref.parts { folder = try folder?.folder(part) }
        return folder
    }

    /// Opens the packages folder and the app's folder, creating them if necessary.
    func packageStore(for ref: PackageRef) throws(ServerError) -> (root: Folder, app: Folder) {
        let root = try Folder.creating(path)
        let tenant = try root.creating(ref.tenant.text)
        let app = try tenant.creating(ref.item.description)
        try tenant.sync()
        try root.sync()
        return (root, app)
    }
}
