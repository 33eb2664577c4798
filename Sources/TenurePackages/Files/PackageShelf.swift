import TenureCore
import TenureFormats
import TenureHTTP
import TenureServerKit

/// The folder that holds the files of packages: `TENANT/APP/VERSION/` with the very files that a device may ask for.
///
/// What is being brought in stands below `.incoming`, which no address leads to.
public struct PackageShelf: Sendable {
    /// Its path.
    public let path: String

    /// Names the folder; it may not be there yet.
    public init(_ path: String) { self.path = path }

    static let incoming = ".incoming"

    /// Opens a file of a package by the parts of its path; nil when there is none.
    func file(_ parts: [String], of ref: PackageRef) throws(ServerError) -> OpenFile? {
        try folder(of: ref)?.file(at: parts)
    }

    /// The manifest that is served; nil where there is none that can be read.
    func manifest(of ref: PackageRef) throws(ServerError) -> PackageManifest? {
        guard let file = try file(["manifest.json"], of: ref), file.size <= PackageManifest.byteLimit else {
            return nil
        }
        return try? PackageManifest(parsing: FilePart(file).read())
    }

    /// Opens a package's folder; nil when there is none.
    func folder(of ref: PackageRef) throws(ServerError) -> Folder? {
        var folder = try Folder.open(path)
        for part in ref.parts { folder = try folder?.folder(part) }
        return folder
    }

    /// Makes the folder, with those above a package's, and opens these.
    func shelf(for ref: PackageRef) throws(ServerError) -> (root: Folder, app: Folder) {
        let root = try Folder.made(path)
        let tenant = try root.made(ref.tenant.text)
        let app = try tenant.made(ref.item.description)
        try tenant.sync()
        try root.sync()
        return (root, app)
    }
}
