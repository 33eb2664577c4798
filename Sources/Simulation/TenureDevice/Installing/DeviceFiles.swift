import FoundationEssentials
import Glibc
import TenureCommandLine
import TenureCore
import TenureMarketplace

/// The files of a device's apps: installed versions and partial downloads.
///
/// File names consist of numbers and an asset's id, which contains only ASCII letters, digits and `-`. Therefore, a
/// server's response can't inject a path.
struct DeviceFiles: Sendable {
    private let folder: String

    /// Creates a reference to a device's folder. This creates no folder.
    init(_ folder: String) { self.folder = folder }

    /// Returns the folder of an installed version.
    func folderName(of item: AppleItemID, _ version: AppleVersionID) -> String {
        "\(apps(of: item))/\(version)"
    }

    /// Returns the path of the file for a partial download.
    func part(of item: AppleItemID, _ version: AppleVersionID, _ asset: AssetID) -> String {
        "\(downloads)/\(item)-\(version)-\(asset).part"
    }

    private func apps(of item: AppleItemID) -> String { "\(folder)/apps/\(item)" }

    private var downloads: String { "\(folder)/downloads" }

    /// Creates the folder for downloads.
    func makeDownloads() throws(DeviceError) { try make(downloads) }

    /// Moves a complete asset next to its manifest and signature.
    ///
    /// The older version's files stay, because the device still has that version until the device is saved.
    func install(
        _ asset: AssetID, of manifest: PackageManifest, _ documents: PackageDocuments, from part: String?
    ) throws(DeviceError) {
        let folderName = folderName(of: manifest.item, manifest.version)
        try make(folderName)
        do {
            try Data(documents.manifest).write(to: URL(filePath: folderName + "/manifest.json"), options: .atomic)
            try Data(documents.signature).write(to: URL(filePath: folderName + "/signature"), options: .atomic)
            guard let part else { return }
            let file = "\(folderName)/\(asset).ipa"
            try? FileManager.default.removeItem(atPath: file)
            try FileManager.default.moveItem(atPath: part, toPath: file)
            try? FileManager.default.removeItem(atPath: part + ".etag")
        } catch {
            throw DeviceError(.badFolder, "The folder \(folderName) can't be written: \(error.systemMessage)")
        }
    }

    /// Removes the files of versions that are no longer installed, and leftovers of finished downloads.
    func tidy(_ device: Device) {
        let manager = FileManager.default
        for app in device.apps {
            for name in (try? manager.contentsOfDirectory(atPath: apps(of: app.item))) ?? []
            where name != app.version.description {
                try? manager.removeItem(atPath: "\(apps(of: app.item))/\(name)")
            }
            for name in (try? manager.contentsOfDirectory(atPath: downloads)) ?? []
            where name.hasPrefix("\(app.item)-\(app.version)-") {
                try? manager.removeItem(atPath: "\(downloads)/\(name)")
            }
        }
    }

    /// Free disk space in bytes; `nil` if the system doesn't report it.
    var room: Int64? {
        var facts = statvfs()
        guard statvfs(folder, &facts) == 0 else { return nil }
        return Int64(clamping: UInt64(facts.f_bavail) * UInt64(facts.f_frsize))
    }

    private func make(_ path: String) throws(DeviceError) {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw DeviceError(.badFolder, "The folder \(path) can't be created: \(error.systemMessage)")
        }
    }
}
