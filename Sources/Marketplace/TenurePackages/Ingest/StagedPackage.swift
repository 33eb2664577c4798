import TenureCore
import TenureHTTP
import TenureMarketplace
import TenureServerKit

/// A package whose complete and checked files are in a staging folder, on the same disk as the served files.
///
/// As long as this object exists, no other process can change packages of the app.
final class StagedPackage: Sendable {
    let package: BroughtPackage
    let ref: PackageRef
    let incoming: Folder
    let app: Folder

    private init(_ package: BroughtPackage, _ ref: PackageRef, incoming: Folder, app: Folder) {
        self.package = package
        self.ref = ref
        self.incoming = incoming
        self.app = app
    }

    /// How much disk space a copy must leave free, in bytes.
    private static let spare: Int64 = 64 << 20

    /// Copies a package and checks its bytes while copying.
    ///
    /// - Parameter progress: Receives the number of bytes copied since its last call.
    /// - Throws: ``ServerError`` after removing the partial copy.
    static func make(
        _ package: BroughtPackage, as ref: PackageRef, on packageStore: PackageStore, at now: Timestamp,
        progress: (Int) -> Void
    ) throws(ServerError) -> StagedPackage {
        let (root, app) = try packageStore.packageStore(for: ref)
        guard app.lock() else {
            throw ServerError(
                .packagesBusy,
                "Another command is changing the packages of the app \(ref.item). Try again when it is done.")
        }
        let room = try root.room()
        guard package.source.isInPlace || package.size + spare <= room else {
            throw ServerError(
                .packagesUnusable,
                "The package has \(package.size >> 20) MiB, but the disk of \(packageStore.path) has room only for "
                    + "\(max(0, room - spare) >> 20) MiB. Nothing was changed.")
        }
        let incoming = try root.creating(PackageStore.incoming)
        let staged = StagedPackage(package, ref, incoming: incoming, app: app)
        // Remove files that a killed command left behind.
        try staged.discard()
        do throws(ServerError) {
            try staged.fill(packageStore, at: now, progress)
        } catch {
            try? staged.discard()
            throw error
        }
        return staged
    }

    /// Removes the copied files, if the package won't be published.
    func discard() throws(ServerError) { try incoming.remove(ref.stagingName) }

    private func fill(_ packageStore: PackageStore, at now: Timestamp, _ progress: (Int) -> Void) throws(ServerError) {
        let former = try packageStore.folder(of: ref)
        let time = now.seconds
        let staging = try incoming.creating(ref.stagingName)
        for entry in package.source.entries {
            guard let asset = package.manifest.assets.first(where: { $0.path == entry.path }) else { continue }
            try copy(entry, asset, to: staging, at: time, progress)
        }
        for (name, bytes) in [("signature", package.signature), ("manifest.json", package.manifestBytes)] {
            let file = try staging.create(name)
            try file.write(bytes)
            try file.finish(changedAt: time)
        }
        if let former { try keepFormerAssets(of: former, in: staging) }
        for name in ["variant", "delta"] { try staging.folder(name)?.sync() }
        try staging.sync()
        try incoming.sync()
    }

    private func copy(
        _ entry: SourceEntry, _ asset: PackageManifest.Asset, to staging: Folder, at time: Int64,
        _ progress: (Int) -> Void
    ) throws(ServerError) {
        let parts = asset.path.split(atByte: "/").map(String.init)
        let folder = try staging.creating(parts[0])
        if try package.source.give(entry, to: folder, changedAt: time) {
            progress(Int(asset.size))
            return
        }
        let file = try folder.create(parts[1])
        var reader = try package.source.open(entry)
        var check = ChunkCheck(asset.chunks)
        var copied: Int64 = 0
        while true {
            let bytes = try reader.next()
            if bytes.isEmpty { break }
            copied += Int64(bytes.count)
            guard copied <= asset.size else { throw Self.otherSize(asset) }
            if let chunk = check.take(bytes) { throw Self.damaged(asset, chunk) }
            try file.write(bytes)
            progress(bytes.count)
        }
        guard copied == asset.size else { throw Self.otherSize(asset) }
        if let chunk = check.end() { throw Self.damaged(asset, chunk) }
        try file.finish(changedAt: time)
    }

    /// Keeps the assets that only the previous revision has, by linking them into the new folder.
    ///
    /// Downloads of that revision may continue for a day.
    private func keepFormerAssets(of former: Folder, in staging: Folder) throws(ServerError) {
        let named = Set(package.manifest.assets.map(\.path))
        for name in ["variant", "delta"] {
            guard let folder = try former.folder(name) else { continue }
            for entry in try folder.entries() where !named.contains("\(name)/\(entry.name)") {
                guard case .file = entry.kind else { continue }
                // If the file system has no hard links, the asset is lost, and devices must start its download again.
                _ = try folder.link(entry.name, in: staging.creating(name))
            }
        }
    }

    private static func otherSize(_ asset: PackageManifest.Asset) -> ServerError {
        ServerError(
            .packageRefused,
            "\(asset.path) doesn't have the \(asset.size) bytes that the manifest says. Nothing was changed.")
    }

    private static func damaged(_ asset: PackageManifest.Asset, _ chunk: Int) -> ServerError {
        ServerError(
            .packageRefused,
            "\(asset.path) is damaged: chunk \(chunk) of \(asset.chunks?.digests.count ?? 0) doesn't match the "
                + "manifest. Nothing was changed.")
    }
}
