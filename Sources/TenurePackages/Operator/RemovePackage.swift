import TenureCore
import TenureMarketplace
public import TenureServerKit
public import TenureStore

/// Takes one version of an app away, with the files of its package.
public struct RemovePackage: Sendable {
    let store: any Store
    let shelf: PackageShelf

    /// Removes from a store and a shelf.
    public init(store: any Store, shelf: PackageShelf) {
        self.store = store
        self.shelf = shelf
    }

    /// Removes a version; false where there is none and no files of one. A command that is killed between the two leaves
    /// files that nobody is given; given again, it removes them. Throws ``ServerError``.
    public func callAsFunction(_ ref: PackageRef) async throws(ServerError) -> Bool {
        let app = try Folder.open(shelf.path)?.folder(ref.tenant.text)?.folder(ref.item.description)
        if let app, !app.lock() {
            throw ServerError(
                .packagesUnusable,
                "Another command works on the packages of the app \(ref.item). Try again when it is done.")
        }
        let wasKnown = try await RemoveVersion(store: store)(ref.item, ref.version, of: ref.tenant)
        guard let app, try app.folder(ref.version.description) != nil else { return wasKnown }
        // Out of sight in one step, then piece by piece.
        let incoming = try Folder.made(shelf.path).made(PackageShelf.incoming)
        try incoming.remove(ref.stagingName)
        try app.move(ref.version.description, to: incoming, as: ref.stagingName)
        try app.sync()
        try incoming.remove(ref.stagingName)
        return true
    }
}
