import Foundation
package import TenureCore
import TenureCrypto
import TenureFormats
import TenureMarketplaceClient

/// The folder in which a device lives: one file, replaced whole at each change.
package struct DeviceFolder: Sendable {
    /// The folder's path.
    package let path: String

    /// The files of its apps.
    package var files: DeviceFiles { DeviceFiles(path) }

    /// Where an account's tokens are that signed in on the device, and what the device calls itself when it asks for them.
    package func signedIn(_ account: AccountID, on device: Device) -> SignedIn {
        SignedIn(
            folder: TokenFolder(path: path + "/tokens"), account: account,
            clientID: Base64.encodeURL(SHA256.hash(device.id + Array("\(device.server.domain) \(account)".utf8))))
    }

    private var file: String { path + "/device.json" }

    /// Names a folder; nothing is read.
    package init(_ path: String) { self.path = path }

    /// Makes the folder with a new device in it.
    ///
    /// - Throws: `.badFolder`, also when there is a device already.
    package func create(_ device: Device) throws(DeviceError) {
        guard !FileManager.default.fileExists(atPath: file) else {
            throw DeviceError(.badFolder, "There is a device in \(path) already; name another folder.")
        }
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw DeviceError(.badFolder, "The folder \(path) cannot be made: \(error.localizedDescription)")
        }
        try write(device)
    }

    /// Reads the device, and verifies its licenses again.
    ///
    /// - Throws: `.badFolder`, for a license that was changed, too.
    package func read() throws(DeviceError) -> Device {
        guard let data = FileManager.default.contents(atPath: file) else {
            throw DeviceError(
                .badFolder, "There is no device in \(path); `tenure device new \(path) --server URL` makes one.")
        }
        return try Device(json: Array(data), file: file)
    }

    /// Replaces the device's file, and then removes what it no longer needs.
    ///
    /// - Throws: `.badFolder`; the file is as it was.
    package func write(_ device: Device) throws(DeviceError) {
        do {
            try Data(device.json()).write(to: URL(filePath: file), options: .atomic)
        } catch {
            throw DeviceError(.badFolder, "The file \(file) cannot be written: \(error.localizedDescription)")
        }
        files.tidy(device)
    }
}
