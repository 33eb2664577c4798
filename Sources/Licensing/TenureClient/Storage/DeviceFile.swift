package import TenureVault

/// Stores the record in a file of this device and product, beside those of other devices and products.
///
/// Several devices can share a home folder, for example over a network, or as two systems on one machine. Each has a
/// record of its own, which the others don't overwrite.
///
/// Reading throws `.foreign` if the folder contains only records of other devices. The folder may have been copied, or
/// the device may have a new identity.
package struct DeviceFile: Vault {
    /// The maximum number of records of a product in a folder, one per device. If there are more, those that were
    /// written longest ago are removed.
    static let mostDevices = 16

    private let folder: String
    private let prefix: String
    private let name: String
    private let file: SealedFile

    /// Prepares access to the record that `seal` opens, without reading or creating anything.
    package init(folder: String, seal: RecordSeal) {
        self.folder = folder
        prefix = seal.filePrefix
        name = seal.fileName
        // The devices share one lock, so that none removes a record that another one writes.
        file = SealedFile(folder: folder, name: name, lock: "\(prefix).lock", seal: seal)
    }

    package func load() throws(VaultError) -> [UInt8]? {
        if let record = try file.load() { return record }
        guard try others().isEmpty else { throw .otherDevice(file: "in \(folder)") }
        return nil
    }

    package func replace(_ record: [UInt8]) throws(VaultError) {
        try file.replace(record)
        removeUnused()
    }

    @discardableResult
    package func rewrite(
        _ decide: (Result<[UInt8]?, VaultError>) throws(VaultError) -> [UInt8]?
    ) throws(VaultError) -> [UInt8]? {
        var isNew = false
        let record = try file.rewrite { stored throws(VaultError) in
            guard case .success(nil) = stored else { return try decide(stored) }
            isNew = true
            return try decide(try others().isEmpty ? stored : .failure(.otherDevice(file: "in \(folder)")))
        }
        if isNew { removeUnused() }
        return record
    }

    /// The other devices' records of this product, those that were written longest ago first.
    private func others() throws(VaultError) -> [String] {
        guard let folder = try PrivateFolder.opened(folder, failing: .unreadable) else { return [] }
        return try others(in: folder)
    }

    private func others(in folder: borrowing PrivateFolder) throws(VaultError) -> [String] {
        try folder.names(withPrefix: prefix + "-").filter { $0 != name && $0.utf8.count == name.utf8.count }
    }

    /// Removes the records beyond ``mostDevices``.
    ///
    /// A failure must not fail the write that has succeeded. The next device's first write tries again.
    private func removeUnused() {
        do throws(VaultError) {
            guard try others().count >= Self.mostDevices,
                let folder = try PrivateFolder.opened(folder, failing: .unwritable)
            else { return }
            let lock = try FileLock("\(prefix).lock", in: folder)
            for other in try others(in: folder).dropLast(Self.mostDevices - 1) { try folder.remove(other) }
            _ = consume lock
        } catch {}
    }
}
