import TenureFiles
package import TenureVault

/// Stores the record in an encrypted file that can be read only on this device and for this product.
///
/// The file has mode 0600, in a folder with mode 0700. It is replaced as a whole and made durable before a call
/// returns. Writers hold a lock on a separate file; readers need none. If another writer holds the lock, a call fails
/// at once with `.busy`.
///
/// ```swift
/// let vault = SealedFile(folder: "/home/mia/.local/share/notes", seal: RecordSeal(device: binding, product: product))
/// try await LockTimeout.standard.wait { () throws(VaultError) in
///     try vault.update { record in record ?? Array("{}".utf8) }
/// }
/// ```
package struct SealedFile: Vault {
    private let folder: String
    private let name: String
    private let lock: String
    private let seal: RecordSeal
    private let watching: @Sendable (FileReplacement.Step) -> Void

    /// Prepares access to the file `name` in `folder`, without reading or creating anything.
    ///
    /// - Parameter lock: The name of the lock file; `nil` for one of this file alone.
    package init(folder: String, name: String = "license", lock: String? = nil, seal: RecordSeal) {
        self.init(folder: folder, name: name, lock: lock, seal: seal, watching: { _ in })
    }

    /// Creates access that also reports each finished step of a replacement, so that tests can stop there.
    init(
        folder: String, name: String = "license", lock: String? = nil, seal: RecordSeal,
        watching: @escaping @Sendable (FileReplacement.Step) -> Void
    ) {
        self.folder = folder
        self.name = name
        self.lock = lock ?? "\(name).lock"
        self.seal = seal
        self.watching = watching
    }

    package func load() throws(VaultError) -> [UInt8]? {
        guard let folder = try PrivateFolder.opened(folder, failing: .unreadable) else { return nil }
        return try load(from: folder)
    }

    package func replace(_ record: [UInt8]) throws(VaultError) {
        let folder = try PrivateFolder.creating(folder)
        let lock = try FileLock(self.lock, in: folder)
        try replace(record, in: folder)
        _ = consume lock
    }

    @discardableResult
    package func rewrite(
        _ decide: (Result<[UInt8]?, VaultError>) throws(VaultError) -> [UInt8]?
    ) throws(VaultError) -> [UInt8]? {
        let folder = try PrivateFolder.creating(folder)
        let lock = try FileLock(self.lock, in: folder)
        let stored: Result<[UInt8]?, VaultError>
        do throws(VaultError) {
            stored = .success(try load(from: folder))
        } catch {
            stored = .failure(error)
        }
        guard let decided = try decide(stored) else { return try? stored.get() }
        try replace(decided, in: folder)
        _ = consume lock
        return decided
    }

    private func load(from folder: borrowing PrivateFolder) throws(VaultError) -> [UInt8]? {
        let limit = Self.longestRecord + SealHeader.length + RecordSeal.overhead
        guard let sealed = try folder.read(name, limit: limit) else { return nil }
        do throws(SealFault) {
            return try seal.open(sealed)
        } catch {
            throw VaultError(error, file: "\(folder.path)/\(name)")
        }
    }

    private func replace(_ record: [UInt8], in folder: borrowing PrivateFolder) throws(VaultError) {
        guard record.count <= Self.longestRecord else { throw .tooLong(record.count) }
        let sealed: [UInt8]
        do throws(SealFault) {
            sealed = try seal.seal(record)
        } catch {
            throw VaultError(.unwritable, "The record can't be encrypted because the cryptographic library failed.")
        }
        try folder.replace(name, with: sealed, watching: watching)
    }
}

extension VaultError {
    /// What to do about a lost record; activating again on the same device reuses its activation.
    static let activateAgain =
        "Activate the license key again on this device, which doesn't count as a second activation, "
        + "or restore the file from a backup of this device."

    static func tooLong(_ count: Int) -> VaultError {
        VaultError(.unwritable, "The record has \(count) bytes; the limit is 1 MiB.")
    }

    /// The error for a record that another device wrote.
    static func otherDevice(file: String) -> VaultError {
        VaultError(
            .foreign,
            "The record \(file) was written on another device, or this device has a new identity. A copied record "
                + "doesn't move a license: activate the license key here, and release the other device if needed.")
    }

    /// Explains why an encrypted record can't be decrypted.
    fileprivate init(_ fault: SealFault, file: String) {
        switch fault {
        case .damaged:
            self.init(.corrupted, "The record \(file) was modified or truncated. " + Self.activateAgain)
        case .otherVersion(let version):
            self.init(
                .unreadable,
                "The record \(file) was written by a newer version of this app (format \(version)). Update the app.")
        case .otherDevice:
            self = .otherDevice(file: file)
        case .otherProduct:
            self.init(
                .foreign, "The record \(file) belongs to another product. Activate the license key of this one here.")
        case .libraryFailed:
            self.init(.unreadable, "The record \(file) can't be decrypted because the cryptographic library failed.")
        }
    }
}
