import FoundationEssentials
import TenureCommandLine
import TenureCore
import TenureCrypto
import TenureFormats
import TenureMarketplaceClient

/// The folder of a device, whose state is one JSON file that each change replaces atomically.
struct DeviceFolder: Sendable {
    let path: String

    /// The files of the device's apps and downloads, which are in the device's folder.
    var files: DeviceFiles { DeviceFiles(path) }

    /// Returns a signed-in account, with the folder that stores its tokens and with the device's OAuth client id.
    func signedIn(_ account: AccountID, on device: Device) -> SignedIn {
        SignedIn(
            folder: TokenFolder(path: path + "/tokens"), account: account,
            clientID: Base64.encodeURL(SHA256.hash(device.id + Array("\(device.server.domain) \(account)".utf8))))
    }

    private var file: String { path + "/device.json" }

    /// Creates a reference to a folder without reading anything.
    init(_ path: String) { self.path = path }

    /// Creates the folder with a new device in it.
    ///
    /// - Throws: `.badFolder`, also if the folder already contains a device.
    func create(_ device: Device) throws(DeviceError) {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw DeviceError(.badFolder, "The folder \(path) can't be created: \(error.systemMessage)")
        }
        let lock = try lock()
        guard !FileManager.default.fileExists(atPath: file) else {
            throw DeviceError(.badFolder, "There is a device in \(path) already. Choose another folder.")
        }
        try write(device)
        withExtendedLifetime(lock) {}
    }

    /// Waits until no other command changes the device, and keeps others from changing it.
    ///
    /// - Throws: `.badFolder`.
    func lock() throws(DeviceError) -> FolderLock { try FolderLock(path) }

    /// Reads the device and verifies its licenses again.
    ///
    /// - Throws: `.badFolder`, also if a license was modified.
    func read() throws(DeviceError) -> Device {
        guard let data = FileManager.default.contents(atPath: file) else {
            throw DeviceError(
                .badFolder, "There is no device in \(path). Create one with `tenure device new \(path) --server URL`.")
        }
        return try Device(json: Array(data), file: file)
    }

    /// Replaces the device's file, then removes app files that are no longer needed.
    ///
    /// - Throws: `.badFolder`; the file stays unchanged.
    func write(_ device: Device) throws(DeviceError) {
        do {
            try Data(device.json()).write(to: URL(filePath: file), options: .atomic)
        } catch {
            throw DeviceError(.badFolder, "The file \(file) can't be written: \(error.systemMessage)")
        }
        files.tidy(device)
    }
}
