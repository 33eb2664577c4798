import FoundationEssentials
import TenureMarketplace
import TenureMarketplaceClient

/// The location from which a package is installed.
enum PackageSource: Sendable, Hashable {
    /// A server: the URL of the folder that contains `manifest.json`.
    case web(String)
    /// A local folder, or the path of a manifest alone.
    case local(String)

    /// Reads user input: a URL, or the path of a folder or a manifest.
    init(_ text: String) {
        let isWeb = text.hasPrefix("https://") || text.hasPrefix("http://")
        self = isWeb ? .web(text.hasSuffix("/") ? String(text.dropLast()) : text) : .local(text)
    }
}

/// A package in a local folder; its manifest alone is enough for a license.
struct LocalPackage: Sendable {
    let manifest: PackageManifest
    let documents: PackageDocuments
    private let folder: String

    /// Reads a package's folder or its `manifest.json`; throws `.badPackage` if it can't be read.
    init(_ path: String) throws(DeviceError) {
        var isFolder = false
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        folder = exists && isFolder ? path : URL(filePath: path).deletingLastPathComponent().path
        let file = exists && isFolder ? path + "/manifest.json" : path
        guard let data = FileManager.default.contents(atPath: file) else {
            throw DeviceError(
                .badPackage,
                "The package manifest \(file) can't be read. Use a package's folder or its manifest.json.")
        }
        let signature = FileManager.default.contents(atPath: folder + "/signature") ?? Data()
        documents = try PackageDocuments(manifest: Array(data), signature: Array(signature), of: file)
        manifest = documents.read
    }

    /// Whether the folder contains an asset's file.
    func has(_ asset: PackageManifest.Asset) -> Bool {
        FileManager.default.fileExists(atPath: "\(folder)/\(asset.path)")
    }

    /// Copies an asset and verifies its chunks, as a download does.
    func copy(to part: PartialAsset, meter: InstallMeter) throws(DeviceError) {
        try part.cut(to: 0)
        let path = "\(folder)/\(part.asset.path)"
        guard let file = DiskFile(reading: path) else {
            throw DeviceError(.badPackage, "The file \(path) can't be read.")
        }
        while let bytes = file.read(upTo: 1 << 20), !bytes.isEmpty {
            guard part.append(bytes) else { break }
            meter.measure(.downloading, bytes: part.count, of: part.asset.size)
        }
        let fault = try part.finish()
        guard fault == nil, part.isWhole else {
            throw DeviceError(.badPackage, "The file \(path) doesn't match the manifest.")
        }
    }
}
