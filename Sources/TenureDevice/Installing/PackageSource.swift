import Foundation
package import TenureFormats
import TenureMarketplaceClient

/// Where a package is taken from.
package enum PackageSource: Sendable, Hashable {
    /// A server: the URL that `manifest.json` lies below.
    case web(String)
    /// A folder of this computer, or its manifest alone.
    case local(String)

    /// Reads what a person wrote: a URL, or the path of a folder or a manifest.
    package init(_ text: String) {
        let isWeb = text.hasPrefix("https://") || text.hasPrefix("http://")
        self = isWeb ? .web(text.hasSuffix("/") ? String(text.dropLast()) : text) : .local(text)
    }
}

/// A package in a folder of this computer, which need not be whole: its manifest alone is enough for a license.
package struct LocalPackage: Sendable {
    /// What its manifest says.
    package let manifest: PackageManifest
    let documents: PackageDocuments
    private let folder: String

    /// Reads a folder, or its `manifest.json`; throws `.badPackage`.
    package init(_ path: String) throws(DeviceError) {
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        folder = exists && isFolder.boolValue ? path : URL(filePath: path).deletingLastPathComponent().path
        let file = exists && isFolder.boolValue ? path + "/manifest.json" : path
        guard let data = FileManager.default.contents(atPath: file) else {
            throw DeviceError(
                .badPackage,
                "The package manifest \(file) cannot be read; name a package's folder or its manifest.json.")
        }
        let signature = FileManager.default.contents(atPath: folder + "/signature") ?? Data()
        documents = try PackageDocuments(manifest: Array(data), signature: Array(signature), of: file)
        manifest = documents.read
    }

    /// Whether an asset's file is in the folder.
    func has(_ asset: PackageManifest.Asset) -> Bool {
        FileManager.default.fileExists(atPath: "\(folder)/\(asset.path)")
    }

    /// Copies what is missing of an asset, compared as a download is.
    func copy(to part: PartialAsset, meter: InstallMeter) throws(DeviceError) {
        try part.cut(to: 0)
        let path = "\(folder)/\(part.asset.path)"
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw DeviceError(.badPackage, "The file \(path) cannot be read.")
        }
        defer { try? handle.close() }
        while let data = try? handle.read(upToCount: 1 << 20), !data.isEmpty {
            guard part.append(Array(data)) else { break }
            meter.measure(.downloading, bytes: part.count, of: part.asset.size)
        }
        let fault = try part.settle()
        guard fault == nil, part.isWhole else {
            throw DeviceError(.badPackage, "The file \(path) is not what the manifest says.")
        }
    }
}
