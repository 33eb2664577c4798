import Glibc
package import TenureCommandLine
import TenureCore
import TenureCrypto
import TenureFiles
import TenureFormats

/// The file that contains the master key as 64 hexadecimal digits on one line.
package struct MasterKeyFile: Sendable {
    package let path: String

    /// Whether the file is in the data folder, so that a copy of the folder contains the key.
    let isInDataFolder: Bool

    package init(path: String, isInDataFolder: Bool = false) {
        self.path = path
        self.isInDataFolder = isInDataFolder
    }

    /// Reads the key. Throws if the file can't be read or doesn't contain a key.
    package func read() throws(CommandError) -> MasterKey {
        guard let key = try? MasterKey(bytes: try bytes()) else { throw malformed }
        return key
    }

    /// Reads the bytes of the key. Throws like ``read()``.
    func bytes() throws(CommandError) -> [UInt8] {
        let held: [UInt8]
        do throws(Errno) {
            held = try CallersFile.bytes(of: path, limit: 256)
        } catch {
            throw CommandError(
                "The master key \(path) cannot be read: \(error). Pass the right file with --master-key-file FILE. "
                    + "The stored signing keys cannot be decrypted without it.")
        }
        let text = String(firstLineOf: held)?.before(anyByteOf: " \t")
        guard let bytes = text.flatMap({ Hex.decode(String($0)) }), bytes.count == AES256GCM.keyLength else {
            throw malformed
        }
        return bytes
    }

    private var malformed: CommandError {
        CommandError("The file \(path) is not a master key. It must contain 64 hexadecimal digits on one line.")
    }

    /// Creates a file that contains a key and that only its owner may read. An existing file isn't changed.
    ///
    /// - Parameter key: The bytes of the key; random bytes by default.
    package func create(_ key: [UInt8] = SecureRandom.bytes(AES256GCM.keyLength)) throws(CommandError) {
        try CallersFiles.open { () throws(CommandError) in try write(key) }
    }

    private func write(_ key: [UInt8]) throws(CommandError) {
        let temporary = "\(path).\(getpid())"
        let file: FileDescriptor
        do throws(Errno) {
            file = try FileDescriptor(opening: temporary, O_WRONLY | O_CREAT | O_EXCL, mode: 0o400)
        } catch {
            throw CommandError("The master key \(path) cannot be created: \(error).")
        }
        defer { unlink(temporary) }
        do throws(Errno) {
            try file.write(Array((Hex.encode(key) + "\n").utf8))
            try file.synchronize()
        } catch {
            throw CommandError("The master key \(path) cannot be written: \(error).")
        }
        // Unlike a rename, a link fails if the file exists. So if two processes create a key concurrently, one key is
        // saved and both processes read it.
        guard link(temporary, path) == 0 || errno == EEXIST else {
            throw CommandError("The master key cannot be moved to \(path): \(DataFolder.reason(errno)).")
        }
        // The only key must survive a crash, so the folder is synchronized. That fails silently if this process may
        // not read the folder.
        let folder = path.cut(atLastByte: "/").map { $0.before.isEmpty ? "/" : String($0.before) } ?? "."
        if let opened = try? FileDescriptor(opening: folder, O_RDONLY | O_DIRECTORY) { try? opened.synchronizeNames() }
    }

    /// Whether the file's mode gives other users any access.
    package var isExposed: Bool {
        CallersFiles.open {
            var facts = stat()
            return stat(path, &facts) == 0 && facts.st_mode & 0o077 != 0
        }
    }

    package var exists: Bool { CallersFile.exists(path) }
}
