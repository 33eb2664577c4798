import Foundation
import TenureCore
import TenureFormats

/// The files of a device's apps: what is installed, and what of downloads is here.
///
/// Every name is made of numbers and of an asset's id, whose letters are ASCII letters, digits and `-`: nothing that a
/// server says becomes a path.
package struct DeviceFiles: Sendable {
    private let folder: String

    /// Names the folder of a device; nothing is made.
    package init(_ folder: String) { self.folder = folder }

    /// Where an installed version's files are.
    func place(of item: AppleItemID, _ version: AppleVersionID) -> String {
        "\(apps(of: item))/\(version)"
    }

    /// Where what came of an asset is while it is downloaded.
    func part(of item: AppleItemID, _ version: AppleVersionID, _ asset: AssetID) -> String {
        "\(downloads)/\(item)-\(version)-\(asset).part"
    }

    private func apps(of item: AppleItemID) -> String { "\(folder)/apps/\(item)" }

    private var downloads: String { "\(folder)/downloads" }

    /// Makes the folder of downloads.
    func makeDownloads() throws(DeviceError) { try make(downloads) }

    /// Puts an asset that has come whole beside its manifest and signature. The older version's files stay: until the
    /// device is saved, it is the one that launches.
    func install(
        _ asset: AssetID, of manifest: PackageManifest, _ documents: PackageDocuments, from part: String?
    ) throws(DeviceError) {
        let place = place(of: manifest.item, manifest.version)
        try make(place)
        do {
            try Data(documents.manifest).write(to: URL(filePath: place + "/manifest.json"), options: .atomic)
            try Data(documents.signature).write(to: URL(filePath: place + "/signature"), options: .atomic)
            guard let part else { return }
            let file = "\(place)/\(asset).ipa"
            try? FileManager.default.removeItem(atPath: file)
            try FileManager.default.moveItem(atPath: part, toPath: file)
            try? FileManager.default.removeItem(atPath: part + ".etag")
        } catch {
            throw DeviceError(.badFolder, "The folder \(place) cannot be written: \(error.localizedDescription)")
        }
    }

    /// Removes the files of versions that are not installed any more, and what is left of their downloads.
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

    /// Bytes that there is room for; nil where the system does not tell.
    var room: Int64? {
        let facts = try? FileManager.default.attributesOfFileSystem(forPath: folder)
        return (facts?[.systemFreeSize] as? NSNumber)?.int64Value
    }

    private func make(_ path: String) throws(DeviceError) {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw DeviceError(.badFolder, "The folder \(path) cannot be made: \(error.localizedDescription)")
        }
    }
}
