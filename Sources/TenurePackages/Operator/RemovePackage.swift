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
                .packagesBusy,
                "Another command works on the packages of the app \(ref.item). Try again when it is done.")
        }
        let wasKnown = try await RemoveVersion(store: store)(ref.item, ref.version, of: ref.tenant)
        try await forgetImports(of: ref)
        guard let app, try app.folder(ref.version.description) != nil else { return wasKnown }
        // Out of sight in one step, then piece by piece.
        let incoming = try Folder.made(shelf.path).made(PackageShelf.incoming)
        try incoming.remove(ref.stagingName)
        try app.move(ref.version.description, to: incoming, as: ref.stagingName)
        try app.sync()
        try incoming.remove(ref.stagingName)
        return true
    }

    /// What was fetched of it counts as taken down, so that it can be fetched again.
    private func forgetImports(of ref: PackageRef) async throws(ServerError) {
        let form = Self.imports
        try await asking { () async throws(StoreError) in
            try await store.perform(
                Change(form.asked(.of(ref.tenant), .of(ref.item))) { seen in
                    let own = seen[form.looks].filter { $0.version == ref.version && $0.state == .ready }
                    return Saving((), own.map { .replace($0, by: $0.taking(.withdrawn, at: $0.changedAt, draw: 0)) })
                })
        }
    }

    private static let imports = LoadForm { ask in ask.rows(PackageImport.ofApp, upTo: Asking.everything) }
}
