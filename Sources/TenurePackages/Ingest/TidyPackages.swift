import TenureCore
import TenureFormats
import TenureHTTP
import TenureServerKit
import TenureStore
import TenureThreads

/// Takes away what nobody asks for any more: files that a killed command left behind, and assets of a former revision a
/// day after it was replaced.
struct TidyPackages: Service {
    let shelf: PackageShelf
    let lane: Lane<Void>
    let clock: any WallClock

    var name: String { "tidy_packages" }

    /// How long downloads of a former revision may go on.
    static let kept: Int64 = 86_400

    func turn(as leader: LeaderTerm?) async throws(ServerError) -> NextTurn {
        let now = clock.now()
        try await lane.run(
            { [shelf] _ throws(ServerError) in try Self.tidy(shelf, at: now) },
            refused: { _ in
                ServerError(.packagesBusy, "The disk of the packages is busy.", isTransient: true)
            })
        return .after(.seconds(6 * 3600))
    }

    static func tidy(_ shelf: PackageShelf, at now: Timestamp) throws(ServerError) {
        guard let root = try Folder.open(shelf.path) else { return }
        for tenant in try root.entries() where tenant.kind == .folder && !tenant.name.hasPrefix(".") {
            guard let apps = try root.folder(tenant.name) else { continue }
            for entry in try apps.entries() where entry.kind == .folder {
                // Whoever brings a package of the app in has it locked.
                guard let app = try apps.folder(entry.name), app.lock() else { continue }
                try removeLeftovers(of: "\(tenant.name).\(entry.name).", in: root)
                for version in try app.entries() where version.kind == .folder {
                    if let package = try app.folder(version.name) { try removeFormerAssets(of: package, at: now) }
                }
            }
        }
    }

    private static func removeLeftovers(of app: String, in root: Folder) throws(ServerError) {
        guard let incoming = try root.folder(PackageShelf.incoming) else { return }
        for entry in try incoming.entries() where entry.name.hasPrefix(app) { try incoming.remove(entry.name) }
    }

    private static func removeFormerAssets(of package: Folder, at now: Timestamp) throws(ServerError) {
        guard let file = try package.file("manifest.json"), file.changedAt + kept <= now.seconds,
            file.size <= PackageManifest.byteLimit, let manifest = try? PackageManifest(parsing: FilePart(file).read())
        else { return }
        let named = Set(manifest.assets.map(\.path))
        for name in ["variant", "delta"] {
            guard let folder = try package.folder(name) else { continue }
            for entry in try folder.entries() where !named.contains("\(name)/\(entry.name)") {
                try folder.remove(entry.name)
            }
        }
    }
}
